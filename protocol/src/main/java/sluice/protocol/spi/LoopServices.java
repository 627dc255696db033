package sluice.protocol.spi;

import sluice.base.buf.BufPool;
import sluice.base.random.Entropy;
import sluice.base.time.WallClock;
import sluice.secure.crypto.Ciphers;

/// What the machines of one loop share; one object a loop, used on its thread only.
///
/// @param buffers the loop's pool
/// @param entropy randomness
/// @param wall calendar time, for timestamps in protocols
/// @param ciphers the loop's cipher objects
public record LoopServices(BufPool buffers, Entropy entropy, WallClock wall, Ciphers ciphers) {}
