/// Connecting: names to addresses, addresses to sockets.
@NullMarked
package sluice.engine.dial;

import org.jspecify.annotations.NullMarked;
