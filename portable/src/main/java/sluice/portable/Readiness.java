package sluice.portable;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import sluice.base.fault.SystemFault;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;

/// Readiness that begins, from a selector that tells readiness that lasts. Owned by one thread;
/// only [#wake] may be called from elsewhere.
final class Readiness {

    private final Selector selector;
    private long[] tokens = new long[256];
    private int[] bits = new int[256];

    Readiness() {
        try {
            selector = Selector.open();
        } catch (IOException failure) {
            int errno = -Errors.of(failure);
            throw new SystemFault("open a selector", errno, Errno.describe(errno));
        }
    }

    int await(long timeoutNanos) {
        try {
            // An unwatch may have left some selected already.
            if (timeoutNanos == 0 || !selector.selectedKeys().isEmpty()) {
                selector.selectNow();
            } else if (timeoutNanos < 0) {
                selector.select();
            } else {
                selector.select(Math.ceilDiv(timeoutNanos, 1_000_000L));
            }
        } catch (IOException failure) {
            int errno = -Errors.of(failure);
            throw new SystemFault("select", errno, Errno.describe(errno));
        }
        int count = 0;
        int selected = selector.selectedKeys().size();
        if (selected > tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * selected);
            bits = Arrays.copyOf(bits, 2 * selected);
        }
        for (SelectionKey key : selector.selectedKeys()) {
            Socket socket = (Socket) key.attachment();
            int found = report(key, socket);
            if (found != 0) {
                tokens[count] = socket.token;
                bits[count++] = found;
            }
        }
        selector.selectedKeys().clear();
        return count;
    }

    long token(int index) {
        return tokens[index];
    }

    int bits(int index) {
        return bits[index];
    }

    void wake() {
        selector.wakeup();
    }

    int watch(Socket socket, long token) {
        socket.token = token;
        try {
            socket.key = socket.channel.register(selector, interest(socket), socket);
            return 0;
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    int unwatch(Socket socket) {
        SelectionKey key = socket.key;
        if (key == null) {
            return -Errno.EINVAL;
        }
        try {
            // Another loop may watch only after the key is gone from this one.
            forget(socket, key);
            return 0;
        } catch (IOException failure) {
            return Errors.of(failure);
        }
    }

    private void forget(Socket socket, SelectionKey key) throws IOException {
        key.cancel();
        socket.key = null;
        selector.selectNow();
        // The call has also eaten a wake-up, if there was one.
        selector.wakeup();
    }

    /// Closes at once: the JDK keeps the descriptor of a channel until its key is gone, and would
    /// send FIN where RST is due, and keep an address from those who want it next.
    void close(Socket socket) {
        try {
            SelectionKey key = socket.key;
            if (key != null) {
                forget(socket, key);
            }
            socket.channel.close();
        } catch (IOException gone) {
            // The descriptor is free whatever the system says.
            socket.error = -Errors.of(gone);
        }
    }

    void close() {
        try {
            selector.close();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static int interest(Socket socket) {
        if (socket.channel instanceof ServerSocketChannel) {
            return SelectionKey.OP_ACCEPT;
        }
        if (socket.channel instanceof DatagramChannel) {
            return SelectionKey.OP_READ;
        }
        return socket.connecting
                ? SelectionKey.OP_CONNECT
                : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    }

    private static int report(SelectionKey key, Socket socket) {
        try {
            int ready = key.readyOps() & key.interestOps();
            if ((ready & SelectionKey.OP_CONNECT) != 0) {
                return finishConnect(key, socket);
            }
            key.interestOpsAnd(~ready);
            int readable = ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT);
            int writable = ready & SelectionKey.OP_WRITE;
            return (readable != 0 ? LoopDriver.READABLE : 0)
                    | (writable != 0 ? LoopDriver.WRITABLE : 0);
        } catch (CancelledKeyException closed) {
            return 0;
        }
    }

    private static int finishConnect(SelectionKey key, Socket socket) {
        socket.connecting = false;
        try {
            ((SocketChannel) socket.channel).finishConnect();
            key.interestOps(SelectionKey.OP_READ);
            return LoopDriver.WRITABLE;
        } catch (IOException | RuntimeException failure) {
            // The JDK has closed the channel, and the key with it.
            socket.error = -Errors.of(failure);
            return LoopDriver.WRITABLE | LoopDriver.FAILED;
        }
    }
}
