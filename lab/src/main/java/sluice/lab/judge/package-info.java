/// Verdicts from figures.
@NullMarked
package sluice.lab.judge;

import org.jspecify.annotations.NullMarked;
