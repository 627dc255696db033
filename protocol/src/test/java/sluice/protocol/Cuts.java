package sluice.protocol;

import java.util.Random;
import java.util.function.Supplier;
import sluice.base.buf.BufPool;
import sluice.base.machine.StreamMachine;

/// Runs a machine on the same bytes in different pieces; what it does must not depend on them.
public final class Cuts {

    private Cuts() {}

    /// What the machine does with all of `bytes` in one read.
    public static String whole(Supplier<StreamMachine> machine, byte[] bytes, BufPool pool) {
        MachineSide side = new MachineSide(machine.get(), pool);
        side.start(0);
        side.receive(bytes, 0);
        side.discard();
        return side.transcript();
    }

    /// What it does with the same bytes in random pieces; many of them are one byte long.
    public static String pieces(
            Supplier<StreamMachine> machine, byte[] bytes, BufPool pool, long seed) {
        Random random = new Random(seed);
        MachineSide side = new MachineSide(machine.get(), pool);
        side.start(0);
        for (int at = 0; at < bytes.length; ) {
            int size = random.nextBoolean() ? 1 : 1 + random.nextInt(12);
            size = Math.min(size, bytes.length - at);
            side.receive(bytes, at, size, 0);
            at += size;
        }
        side.discard();
        return side.transcript();
    }

    /// Joins byte arrays.
    public static byte[] join(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
