/// The beds: ways to measure, each a class.
@NullMarked
package sluice.lab.bed;

import org.jspecify.annotations.NullMarked;
