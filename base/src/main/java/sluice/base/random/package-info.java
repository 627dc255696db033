/// Randomness as a parameter.
@NullMarked
package sluice.base.random;

import org.jspecify.annotations.NullMarked;
