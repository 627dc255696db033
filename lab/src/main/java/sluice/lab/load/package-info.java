/// Programs that make load, each a process of its own.
@NullMarked
package sluice.lab.load;

import org.jspecify.annotations.NullMarked;
