/// The log of runs.
@NullMarked
package sluice.lab.log;

import org.jspecify.annotations.NullMarked;
