/// The commands of `sluice`, one class each, parsed by hand: the start of `run` loads nothing that
/// it does not use. Start with [Commands].
@NullMarked
package sluice.app.cli;

import org.jspecify.annotations.NullMarked;
