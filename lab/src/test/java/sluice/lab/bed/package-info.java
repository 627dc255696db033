/// The beds.
@NullMarked
package sluice.lab.bed;

import org.jspecify.annotations.NullMarked;
