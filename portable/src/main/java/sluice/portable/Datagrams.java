package sluice.portable;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;

/// Receives datagrams one by one and keeps a batch of them; sends at once. Owned by one loop
/// thread.
///
/// Dialled sockets are not connected: the JDK does not send empty datagrams on connected ones. What
/// comes from others than their peer is dropped here instead.
final class Datagrams {

    private static final int BATCH = 16;
    private static final int DATAGRAM_BYTES_MAX = 1 << 16;

    private final ByteBuffer in = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    private byte[] slab = new byte[DATAGRAM_BYTES_MAX];
    private final int[] starts = new int[BATCH + 1];
    private final @Nullable Endpoint[] peers = new @Nullable Endpoint[BATCH];
    private int count;
    private @Nullable SocketAddress lastSource;
    private @Nullable Endpoint lastPeer;
    private long lost;

    /// Receives a batch. Returns how many, or a negated error number.
    int receive(Socket socket) {
        DatagramChannel channel = (DatagramChannel) socket.channel;
        count = 0;
        while (count < BATCH) {
            in.clear();
            try {
                SocketAddress source = channel.receive(in);
                if (source == null) {
                    socket.rearm(SelectionKey.OP_READ);
                    break;
                }
                keep(source, socket.peer);
            } catch (IOException failure) {
                return count > 0 ? count : Errors.of(failure);
            }
        }
        return count > 0 ? count : -Errno.EAGAIN;
    }

    int length(int index) {
        return starts[index + 1] - starts[index];
    }

    Endpoint peer(int index) {
        Endpoint peer = peers[index];
        if (peer == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return peer;
    }

    void copy(int index, byte[] into, int offset) {
        System.arraycopy(slab, starts[index], into, offset, length(index));
    }

    /// Sends a datagram, or counts it as lost.
    void send(Socket socket, @Nullable Endpoint to, byte[] array, int offset, int length) {
        Endpoint target = to == null ? socket.peer : to;
        if (target == null) {
            lost++;
            return;
        }
        DatagramChannel channel = (DatagramChannel) socket.channel;
        ByteBuffer bytes = ByteBuffer.wrap(array, offset, length);
        try {
            int sent = channel.send(bytes, Addresses.toJdk(target));
            lost += sent == 0 && length > 0 ? 1 : 0;
        } catch (IOException | RuntimeException refused) {
            lost++;
        }
    }

    long lost() {
        return lost;
    }

    private void keep(SocketAddress source, @Nullable Endpoint only) {
        if (lastPeer == null || !source.equals(lastSource)) {
            lastSource = source;
            lastPeer = Addresses.fromJdk(source);
        }
        if (only != null && !only.equals(lastPeer)) {
            return;
        }
        int length = in.flip().remaining();
        int start = starts[count];
        if (start + length > slab.length) {
            slab = Arrays.copyOf(slab, start + DATAGRAM_BYTES_MAX);
        }
        in.get(slab, start, length);
        peers[count++] = lastPeer;
        starts[count] = start + length;
    }
}
