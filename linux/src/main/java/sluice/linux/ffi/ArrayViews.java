package sluice.linux.ffi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Heap arrays as the linker wants them. A view is an object, and whether the compiler removes it
/// depends on what it inlines around the call (measured: 0, 72 or 224 bytes for a receive and a
/// send, from run to run). The views used last are kept, and pools hand out the array given back
/// last, so that a busy loop makes none.
///
/// Owned by one loop thread. It keeps up to [#ENTRIES] arrays from the collector until [#clear].
final class ArrayViews {

    private static final int ENTRIES = 8;

    private static final byte[] NONE = {};

    private final byte[][] arrays = new byte[ENTRIES][];
    private final int[] offsets = new int[ENTRIES];
    private final MemorySegment[] views = new MemorySegment[ENTRIES];
    private int next;

    ArrayViews() {
        clear();
    }

    /// A view that begins at `offset` and reaches to the end of the array.
    ///
    /// @throws IndexOutOfBoundsException when `length` bytes do not fit: the kernel would write
    ///   beyond the array
    MemorySegment of(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        for (int i = 0; i < ENTRIES; i++) {
            if (arrays[i] == array && offsets[i] == offset) {
                return views[i];
            }
        }
        return make(array, offset);
    }

    /// Lets go of all arrays.
    void clear() {
        Arrays.fill(arrays, NONE);
        Arrays.fill(views, MemorySegment.NULL);
    }

    private MemorySegment make(byte[] array, int offset) {
        MemorySegment view = MemorySegment.ofArray(array).asSlice(offset);
        arrays[next] = array;
        offsets[next] = offset;
        views[next] = view;
        next = (next + 1) % ENTRIES;
        return view;
    }
}
