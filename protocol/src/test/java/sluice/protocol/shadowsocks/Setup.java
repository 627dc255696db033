package sluice.protocol.shadowsocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.Farewell;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.LoopFixture;
import sluice.testkit.Vectors;

/// Keys, inbounds and outbounds for tests, with the fixed inputs of the vectors.
final class Setup {

    static final Vectors AEAD = Vectors.load("shadowsocks/aead.hex");
    static final Vectors EDITION_2022 = Vectors.load("shadowsocks/edition2022.hex");
    static final String PASSWORD = "quickproxynet-test-password";

    static final Endpoint CLIENT = new Endpoint(IpAddress.v4(0x0a000001), 40_000);
    static final Endpoint ELSEWHERE = new Endpoint(IpAddress.v4(0x0a000002), 50_000);
    static final Endpoint LOCAL = new Endpoint(IpAddress.LOOPBACK_V4, 8388);
    static final Destination EXAMPLE = new Destination(Host.parse("example.com"), 443);
    static final Destination DNS = new Destination(Host.parse("8.8.8.8"), 53);

    private Setup() {}

    /// The bytes `first, first + 1, …`.
    static byte[] counting(int first, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] concat(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /// The salt of the SIP004 vectors.
    static byte[] aeadSalt(Method method) {
        byte[] salt = new byte[method.keyBytes()];
        for (int i = 0; i < salt.length; i++) {
            salt[i] = (byte) (37 * i + 11);
        }
        return salt;
    }

    /// The key `first, first + 1, …` under a name.
    static Credential key(Method method, @Nullable String name, int first) {
        return Credential.of(method, name, counting(first, method.keyBytes()));
    }

    /// The one user of the vectors.
    static Credential user(Method method) {
        return method.is2022()
                ? key(method, null, 0)
                : Credential.ofPassword(method, null, PASSWORD);
    }

    /// An inbound with that user.
    static Acceptance acceptance(Method method) {
        return acceptance(method, null, List.of(user(method)));
    }

    static Acceptance acceptance(
            Method method, @Nullable Credential server, List<Credential> users) {
        return new Acceptance(
                method,
                server,
                users,
                method.is2022() ? Farewell.RESET : Farewell.DRAIN,
                true,
                new SeenSalts(Wire.MEMORY_NANOS, method.is2022() ? 0 : 100_000));
    }

    static Acceptance strict(Method method, @Nullable Credential server, List<Credential> users) {
        return new Acceptance(
                method, server, users, Farewell.RESET, false, new SeenSalts(Wire.MEMORY_NANOS, 0));
    }

    static Dialling dialling(Method method) {
        return new Dialling(method, List.of(), user(method));
    }

    static SealedStream server(LoopFixture loop, Acceptance acceptance) {
        return acceptance.method().is2022()
                ? new Server2022(loop.services(), acceptance)
                : new AeadServer(loop.services(), acceptance, CLIENT.address());
    }

    static SealedStream client(LoopFixture loop, Dialling dialling, Destination target) {
        return dialling.method().is2022()
                ? new Client2022(loop.services(), dialling, target)
                : new AeadClient(loop.services(), dialling, target);
    }

    static List<Method> sealedMethods() {
        List<Method> methods = new ArrayList<>(List.of(Method.values()));
        methods.remove(Method.NONE);
        return methods;
    }

    /// The prefix of a 2022 method's vectors.
    static String prefix(Method method) {
        return switch (method) {
            case BLAKE3_AES_128_GCM -> "tcp128";
            case BLAKE3_AES_256_GCM -> "tcp256";
            case BLAKE3_CHACHA20_POLY1305 -> "tcpcc";
            default -> throw new AssertionError(method);
        };
    }
}
