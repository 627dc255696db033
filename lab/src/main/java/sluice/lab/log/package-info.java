/// The log of runs, JSON Lines, only ever appended to.
@NullMarked
package sluice.lab.log;

import org.jspecify.annotations.NullMarked;
