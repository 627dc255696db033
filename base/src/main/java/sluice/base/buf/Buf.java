package sluice.base.buf;

/// A run of readable bytes inside a heap array, with spare room before and after it. It has one
/// owner at a time and belongs to one loop thread; the owner either hands it on or releases it.
///
/// Readable bytes are `[start, end)` of [#array()]. Arrays come from a [BufPool] and go back there.
public final class Buf {

    private final BufPool pool;
    private final byte[] array;
    private int start;
    private int end;
    private boolean free = true;

    /// Next in the pool's free stack or in a leg's queue; only the present owner may use it.
    private @org.jspecify.annotations.Nullable Buf next;

    Buf(BufPool pool, byte[] array) {
        this.pool = pool;
        this.array = array;
    }

    /// The backing array. Bytes outside `[start, end)` may be written by the owner only.
    public byte[] array() {
        return array;
    }

    /// Index of the first readable byte.
    public int start() {
        return start;
    }

    /// Index behind the last readable byte.
    public int end() {
        return end;
    }

    /// Readable bytes.
    public int length() {
        return end - start;
    }

    /// Whether nothing is readable.
    public boolean isEmpty() {
        return start == end;
    }

    /// Bytes that can be appended without moving anything.
    public int tailroom() {
        return array.length - end;
    }

    /// Bytes that can be prepended without moving anything.
    public int headroom() {
        return start;
    }

    /// Readable byte at `index`, counted from the first readable one; 0 to 255.
    public int unsigned(int index) {
        return array[start + index] & 0xff;
    }

    /// Readable big-endian u16 at `index`, counted from the first readable byte.
    public int unsignedShort(int index) {
        return (array[start + index] & 0xff) << 8 | (array[start + index + 1] & 0xff);
    }

    /// Drops `bytes` from the front.
    public void consume(int bytes) {
        assert bytes >= 0 && bytes <= end - start;
        start += bytes;
    }

    /// Drops everything that is readable.
    public void clear() {
        start = 0;
        end = 0;
    }

    /// Takes bytes that were written behind `end` into the readable run.
    public void extend(int bytes) {
        assert bytes >= 0 && bytes <= array.length - end;
        end += bytes;
    }

    /// Takes bytes that were written before `start` into the readable run.
    public void prepend(int bytes) {
        assert bytes >= 0 && bytes <= start;
        start -= bytes;
    }

    /// Sets the readable run.
    public void range(int start, int end) {
        assert start >= 0 && start <= end && end <= array.length;
        this.start = start;
        this.end = end;
    }

    /// Appends a byte.
    public void put(int value) {
        array[end++] = (byte) value;
    }

    /// Appends a big-endian u16.
    public void putShort(int value) {
        array[end++] = (byte) (value >>> 8);
        array[end++] = (byte) value;
    }

    /// Appends a big-endian u64.
    public void putLong(long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            array[end++] = (byte) (value >>> shift);
        }
    }

    /// Appends `length` bytes of `source`.
    public void put(byte[] source, int offset, int length) {
        System.arraycopy(source, offset, array, end, length);
        end += length;
    }

    /// Appends all of `source`.
    public void put(byte[] source) {
        put(source, 0, source.length);
    }

    /// Moves the readable bytes to the front of the array so that [#tailroom()] is as large as can
    /// be.
    public void compact() {
        if (start > 0) {
            System.arraycopy(array, start, array, 0, end - start);
            end -= start;
            start = 0;
        }
    }

    /// Copies the readable bytes.
    public byte[] toBytes() {
        return java.util.Arrays.copyOfRange(array, start, end);
    }

    /// Gives the array back to its pool. The caller must not touch the buffer afterwards.
    public void release() {
        assert !free : "released twice";
        pool.giveBack(this);
    }

    /// The next buffer of the list this one stands in.
    public @org.jspecify.annotations.Nullable Buf next() {
        return next;
    }

    /// Links this buffer into a list; only its owner does so.
    public void next(@org.jspecify.annotations.Nullable Buf next) {
        this.next = next;
    }

    void markFree(boolean value) {
        assert free != value : value ? "released twice" : "taken twice";
        free = value;
        start = 0;
        end = 0;
        next = null;
    }
}
