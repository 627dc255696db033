/// The lab's processes and their readings.
@NullMarked
package sluice.lab.process;

import org.jspecify.annotations.NullMarked;
