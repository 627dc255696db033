/// The load programs, against each other and against servers that misbehave.
@NullMarked
package sluice.lab.load;

import org.jspecify.annotations.NullMarked;
