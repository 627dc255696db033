/// Trying the outbounds of a configuration out, as a client of theirs would use them, with the time
/// that each step takes. An engine runs for as long as it takes, with one inbound on loopback.
/// Start with [Prober].
@NullMarked
package sluice.app.probe;

import org.jspecify.annotations.NullMarked;
