package sluice.protocol;

import java.util.Random;
import sluice.base.buf.BufBudget;
import sluice.base.buf.BufPool;
import sluice.base.random.Entropy;
import sluice.base.time.WallClock;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.Ciphers;

/// The services of one imagined loop: a pool of its own, seeded randomness, a calendar that stands
/// still until the test moves it.
public final class LoopFixture implements WallClock, Entropy {

    private final BufPool pool = new BufPool(new BufBudget(64L << 20));
    private final Random random;
    private final LoopServices services;
    private byte[] next = {};
    private long epochSeconds = 1_700_000_000;

    /// A loop whose randomness follows from `seed`.
    public LoopFixture(long seed) {
        random = new Random(seed);
        services = new LoopServices(pool, this, this, new Ciphers());
    }

    /// What the machines get.
    public LoopServices services() {
        return services;
    }

    /// The loop's pool; `inUse` is 0 when all buffers came back.
    public BufPool pool() {
        return pool;
    }

    /// Sets the calendar.
    public void epochSeconds(long epochSeconds) {
        this.epochSeconds = epochSeconds;
    }

    @Override
    public long epochSeconds() {
        return epochSeconds;
    }

    /// The next bytes that are drawn, for vectors with a given salt.
    public void drawNext(byte[] bytes) {
        next = bytes.clone();
    }

    @Override
    public void fill(byte[] array, int offset, int length) {
        for (int i = 0; i < length; i++) {
            array[offset + i] = i < next.length ? next[i] : (byte) random.nextInt();
        }
        next =
                length < next.length
                        ? java.util.Arrays.copyOfRange(next, length, next.length)
                        : new byte[0];
    }
}
