/// `sluice lab`: the command line.
@NullMarked
package sluice.lab;

import org.jspecify.annotations.NullMarked;
