package sluice.secure.crypto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// HChaCha20 (draft-irtf-cfrg-xchacha-03 §2.2): turns a key and 16 bytes of nonce into another key.
final class HChaCha20 {

    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int ROUNDS = 20;

    private final int[] state = new int[16];

    /// Writes 32 bytes to `out`.
    void derive(byte[] key, byte[] nonce, int nonceOffset, byte[] out) {
        int[] s = state;
        s[0] = 0x61707865;
        s[1] = 0x3320646e;
        s[2] = 0x79622d32;
        s[3] = 0x6b206574;
        for (int i = 0; i < 8; i++) {
            s[4 + i] = (int) INT.get(key, 4 * i);
        }
        for (int i = 0; i < 4; i++) {
            s[12 + i] = (int) INT.get(nonce, nonceOffset + 4 * i);
        }
        for (int i = 0; i < ROUNDS; i += 2) {
            quarter(s, 0, 4, 8, 12);
            quarter(s, 1, 5, 9, 13);
            quarter(s, 2, 6, 10, 14);
            quarter(s, 3, 7, 11, 15);
            quarter(s, 0, 5, 10, 15);
            quarter(s, 1, 6, 11, 12);
            quarter(s, 2, 7, 8, 13);
            quarter(s, 3, 4, 9, 14);
        }
        for (int i = 0; i < 4; i++) {
            INT.set(out, 4 * i, s[i]);
            INT.set(out, 16 + 4 * i, s[12 + i]);
        }
    }

    private static void quarter(int[] s, int a, int b, int c, int d) {
        s[a] += s[b];
        s[d] = Integer.rotateLeft(s[d] ^ s[a], 16);
        s[c] += s[d];
        s[b] = Integer.rotateLeft(s[b] ^ s[c], 12);
        s[a] += s[b];
        s[d] = Integer.rotateLeft(s[d] ^ s[a], 8);
        s[c] += s[d];
        s[b] = Integer.rotateLeft(s[b] ^ s[c], 7);
    }
}
