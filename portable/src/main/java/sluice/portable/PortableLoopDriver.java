package sluice.portable;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;

/// One loop over a `java.nio` selector.
///
/// Selectors tell a state, this contract tells its beginning: what was reported is taken out of the
/// interest, and comes back when a call finds nothing more to do. The half-close of a peer is
/// reported as [#READABLE] alone.
final class PortableLoopDriver implements LoopDriver {

    private static final SocketTable SOCKETS = new SocketTable();
    private static final byte[] NOTHING = {};

    private final Readiness readiness = new Readiness();
    private final AtomicBoolean woken = new AtomicBoolean();
    private @Nullable Datagrams datagrams;
    private Endpoint acceptedPeer = new Endpoint(IpAddress.ANY_V4, 0);

    // The array last used, wrapped.
    private byte[] lastArray = NOTHING;
    private ByteBuffer lastBuffer = ByteBuffer.wrap(NOTHING);

    @Override
    public int await(long timeoutNanos) {
        int count = readiness.await(timeoutNanos);
        woken.set(false);
        return count;
    }

    @Override
    public long token(int index) {
        return readiness.token(index);
    }

    @Override
    public int readiness(int index) {
        return readiness.bits(index);
    }

    @Override
    public void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            readiness.wake();
        }
    }

    @Override
    public int watch(int socket, long token) {
        Socket known = SOCKETS.find(socket);
        return known == null ? -Errno.EBADF : readiness.watch(known, token);
    }

    @Override
    public int unwatch(int socket) {
        Socket known = SOCKETS.find(socket);
        return known == null ? -Errno.EBADF : readiness.unwatch(known);
    }

    @Override
    public int listen(Endpoint at, ListenOptions options) {
        try {
            Socket listener = new Socket(SocketSetup.listen(at, options), null);
            listener.keepAliveIdleSeconds = options.keepAliveIdleSeconds();
            listener.keepAliveIntervalSeconds = options.keepAliveIntervalSeconds();
            return SOCKETS.add(listener);
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int accept(int listener) {
        Socket known = SOCKETS.find(listener);
        if (known == null) {
            return -Errno.EBADF;
        }
        try {
            SocketChannel channel = ((ServerSocketChannel) known.channel).accept();
            if (channel == null) {
                known.rearm(SelectionKey.OP_ACCEPT);
                return -Errno.EAGAIN;
            }
            return taken(channel, known);
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    private int taken(SocketChannel channel, Socket listener) throws IOException {
        try {
            SocketSetup.accepted(
                    channel, listener.keepAliveIdleSeconds, listener.keepAliveIntervalSeconds);
            acceptedPeer = Addresses.fromJdk(channel.getRemoteAddress());
            return SOCKETS.add(new Socket(channel, null));
        } catch (IOException | RuntimeException gone) {
            channel.close();
            return -Errno.ECONNABORTED;
        }
    }

    @Override
    public Endpoint acceptedPeer() {
        return acceptedPeer;
    }

    @Override
    public int connect(Endpoint to, DialOptions options) {
        try {
            SocketChannel channel = SocketSetup.dialling(to.address(), options);
            Socket socket = new Socket(channel, null);
            try {
                socket.connecting = !channel.connect(Addresses.toJdk(to));
            } catch (IOException | RuntimeException failure) {
                channel.close();
                throw failure;
            }
            return SOCKETS.add(socket);
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int takeError(int socket) {
        Socket known = SOCKETS.find(socket);
        if (known == null) {
            return Errno.EBADF;
        }
        int error = known.error;
        known.error = 0;
        return error;
    }

    @Override
    public @Nullable Endpoint localOf(int socket) {
        Socket known = SOCKETS.find(socket);
        try {
            var local = known == null ? null : ((NetworkChannel) known.channel).getLocalAddress();
            return local == null ? null : Addresses.fromJdk(local);
        } catch (IOException closed) {
            return null;
        }
    }

    @Override
    public int receive(int socket, byte[] into, int offset, int length) {
        Socket known = SOCKETS.find(socket);
        if (known == null) {
            return -Errno.EBADF;
        }
        try {
            int got = ((SocketChannel) known.channel).read(wrap(into, offset, length));
            if (got < 0) {
                return 0;
            }
            if (got < length) {
                known.rearm(SelectionKey.OP_READ);
            }
            return got == 0 && length > 0 ? -Errno.EAGAIN : got;
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int send(int socket, byte[] from, int offset, int length, boolean more) {
        Socket known = SOCKETS.find(socket);
        if (known == null) {
            return -Errno.EBADF;
        }
        try {
            int sent = ((SocketChannel) known.channel).write(wrap(from, offset, length));
            if (sent < length) {
                known.rearm(SelectionKey.OP_WRITE);
            }
            return sent == 0 && length > 0 ? -Errno.EAGAIN : sent;
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int shutdownOutput(int socket) {
        Socket known = SOCKETS.find(socket);
        if (known == null) {
            return -Errno.EBADF;
        }
        try {
            ((SocketChannel) known.channel).shutdownOutput();
            return 0;
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public void close(int socket) {
        Socket known = SOCKETS.remove(socket);
        if (known != null) {
            readiness.close(known);
        }
    }

    @Override
    public void reset(int socket) {
        Socket known = SOCKETS.find(socket);
        if (known != null && known.channel instanceof SocketChannel channel) {
            try {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException gone) {
                // There is nothing left to reset; it is closed below.
            }
        }
        close(socket);
    }

    @Override
    public boolean canSplice() {
        return false;
    }

    @Override
    public int takePipe() {
        return -Errno.EOPNOTSUPP;
    }

    @Override
    public void givePipe(int pipe) {}

    @Override
    public void dropPipe(int pipe) {}

    @Override
    public long spliceIn(int socket, int pipe, long maxBytes) {
        return -Errno.EOPNOTSUPP;
    }

    @Override
    public long spliceOut(int pipe, int socket, long maxBytes, boolean more) {
        return -Errno.EOPNOTSUPP;
    }

    @Override
    public int bindDatagrams(Endpoint at, ListenOptions options) {
        try {
            return SOCKETS.add(new Socket(SocketSetup.bind(at, options), null));
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int openDatagrams(@Nullable Endpoint to, IpAddress family, DialOptions options) {
        try {
            IpAddress target = to == null ? family : to.address();
            return SOCKETS.add(new Socket(SocketSetup.dialling(options, target), to));
        } catch (IOException | RuntimeException failure) {
            return Errors.of(failure);
        }
    }

    @Override
    public int receiveDatagrams(int socket) {
        Socket known = SOCKETS.find(socket);
        return known == null ? -Errno.EBADF : datagrams().receive(known);
    }

    @Override
    public int datagramLength(int index) {
        return datagrams().length(index);
    }

    @Override
    public Endpoint datagramPeer(int index) {
        return datagrams().peer(index);
    }

    /// Always null: `java.nio` does not tell.
    @Override
    public @Nullable IpAddress datagramLocal(int index) {
        return null;
    }

    @Override
    public void copyDatagram(int index, byte[] into, int offset) {
        datagrams().copy(index, into, offset);
    }

    /// Sends at once; the source address is the system's choice.
    @Override
    public void queueDatagram(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length) {
        Socket known = SOCKETS.find(socket);
        if (known != null) {
            datagrams().send(known, to, array, offset, length);
        }
    }

    @Override
    public void flushDatagrams() {}

    @Override
    public long datagramsLost() {
        return datagrams == null ? 0 : datagrams.lost();
    }

    @Override
    public void close() {
        readiness.close();
    }

    private Datagrams datagrams() {
        if (datagrams == null) {
            datagrams = new Datagrams();
        }
        return datagrams;
    }

    private ByteBuffer wrap(byte[] array, int offset, int length) {
        if (array != lastArray) {
            lastArray = array;
            lastBuffer = ByteBuffer.wrap(array);
        }
        return lastBuffer.limit(offset + length).position(offset);
    }
}
