/// The life of a conversation: legs and their layers, stream flows, datagram flows, and what those
/// of one loop share. Start reading at `Flow`.
@NullMarked
package sluice.engine.flow;

import org.jspecify.annotations.NullMarked;
