/// Processes, their readings, the machine.
@NullMarked
package sluice.lab.process;

import org.jspecify.annotations.NullMarked;
