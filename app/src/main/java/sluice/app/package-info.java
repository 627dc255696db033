/// From the operator's file to a running process: assembly, configuration, control, commands.
@NullMarked
package sluice.app;

import org.jspecify.annotations.NullMarked;
