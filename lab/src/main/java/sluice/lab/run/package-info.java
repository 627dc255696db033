/// Running jobs: order, progress, resuming.
@NullMarked
package sluice.lab.run;

import org.jspecify.annotations.NullMarked;
