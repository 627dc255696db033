package sluice.lab.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import sluice.secure.crypto.Aead;
import sluice.secure.crypto.AeadKey;
import sluice.secure.crypto.Ciphers;

/// One record sealed or opened, from one heap array into another.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class CipherBench {

    /// The cipher.
    @Param({"AES_128_GCM", "CHACHA20_POLY1305"})
    public Aead aead = Aead.AES_128_GCM;

    /// Bytes of payload.
    @Param({"64", "1400", "16384", "65535"})
    public int bytes;

    private final Ciphers ciphers = new Ciphers();
    private AeadKey key = AeadKey.of(aead, new byte[16]);
    private byte[] plain = {};
    private byte[] wire = {};
    private byte[] sealed = {};
    private long counter;

    /// Makes the arrays, and a record to open.
    @Setup
    public void fill() {
        key = AeadKey.of(aead, new byte[aead.keyBytes()]);
        plain = new byte[bytes];
        wire = new byte[bytes + Aead.TAG_BYTES];
        sealed = new byte[bytes + Aead.TAG_BYTES];
        ciphers.seal(key, 0, plain, 0, bytes, sealed, 0);
    }

    /// Seals.
    @Benchmark
    public int seal() {
        return ciphers.seal(key, ++counter, plain, 0, bytes, wire, 0);
    }

    /// Opens.
    @Benchmark
    public int open() {
        return ciphers.open(key, 0, sealed, 0, bytes + Aead.TAG_BYTES, plain, 0);
    }
}
