package sluice.portable;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Numbers for channels, for all loops of the process. Any thread.
final class SocketTable {

    private final Object lock = new Object();
    private volatile @Nullable Socket[] sockets = new @Nullable Socket[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /// Gives a socket its number.
    int add(Socket socket) {
        synchronized (lock) {
            int number = freeCount > 0 ? free[--freeCount] : used++;
            @Nullable Socket[] present = sockets;
            if (number == present.length) {
                present = Arrays.copyOf(present, 2 * number);
                free = Arrays.copyOf(free, 2 * number);
            }
            present[number] = socket;
            sockets = present;
            return number;
        }
    }

    /// The socket with that number, or null where there is none.
    @Nullable Socket find(int number) {
        @Nullable Socket[] present = sockets;
        return number >= 0 && number < present.length ? present[number] : null;
    }

    /// Takes the number back. Returns its socket, or null where there is none.
    @Nullable Socket remove(int number) {
        synchronized (lock) {
            Socket socket = find(number);
            if (socket != null) {
                sockets[number] = null;
                free[freeCount++] = number;
            }
            return socket;
        }
    }
}
