/// Clocks and deadlines as parameters.
@NullMarked
package sluice.base.time;

import org.jspecify.annotations.NullMarked;
