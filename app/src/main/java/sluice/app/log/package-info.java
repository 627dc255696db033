/// The log: what [System.Logger] says becomes lines in a file or on standard error. Whoever logs
/// never waits for a disk or a pipe. Start with [Log].
@NullMarked
package sluice.app.log;

import org.jspecify.annotations.NullMarked;
