package sluice.base.random;

/// Randomness as a parameter: machines draw from it and tests replace it.
public interface Entropy {

    /// Fills `length` bytes with values that nobody can predict. Called from one loop thread.
    void fill(byte[] array, int offset, int length);

    /// A value from 0 to `bound` - 1, for lengths of padding and the like.
    default int below(int bound) {
        byte[] four = new byte[4];
        fill(four, 0, 4);
        int value =
                (four[0] & 0x7f) << 24
                        | (four[1] & 0xff) << 16
                        | (four[2] & 0xff) << 8
                        | (four[3] & 0xff);
        return value % bound;
    }

    /// 64 unpredictable bits.
    default long nextLong() {
        byte[] eight = new byte[8];
        fill(eight, 0, 8);
        long value = 0;
        for (byte b : eight) {
            value = value << 8 | (b & 0xff);
        }
        return value;
    }
}
