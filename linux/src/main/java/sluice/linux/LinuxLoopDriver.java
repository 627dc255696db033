package sluice.linux;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.SocketCalls;
import sluice.linux.pipe.PipePool;
import sluice.linux.poll.Poller;
import sluice.linux.socket.DatagramSockets;
import sluice.linux.socket.SocketNumber;
import sluice.linux.socket.StreamSockets;

/// One loop's door to the kernel. Every method is a system call or none at all; what it takes for
/// that (error number, structures) was allocated when the loop opened.
final class LinuxLoopDriver implements LoopDriver {

    private final Arena arena = Arena.ofConfined();
    private final CallState state = new CallState(arena);
    private final SocketCalls calls = new SocketCalls(state, arena);
    private final Poller poller = new Poller(state, arena);
    private final StreamSockets streams = new StreamSockets(calls, arena);
    private final PipePool pipes = new PipePool(state, calls, arena);
    private @Nullable DatagramSockets datagrams;

    @Override
    public int await(long timeoutNanos) {
        int ready = poller.await(timeoutNanos);
        boolean rested = ready == 0 && timeoutNanos != 0;
        if (rested) {
            calls.forgetArrays();
        }
        if (datagrams != null) {
            datagrams.startTurn(rested);
        }
        return ready;
    }

    @Override
    public long token(int index) {
        return poller.token(index);
    }

    @Override
    public int readiness(int index) {
        return poller.readiness(index);
    }

    @Override
    public void wake() {
        poller.wake();
    }

    @Override
    public int watch(int socket, long token) {
        return SocketNumber.isDatagrams(socket)
                ? poller.watchDatagrams(SocketNumber.fd(socket), token)
                : poller.watchStream(socket, token);
    }

    @Override
    public int unwatch(int socket) {
        return poller.unwatch(SocketNumber.fd(socket));
    }

    @Override
    public int listen(Endpoint at, ListenOptions options) {
        return streams.listen(at, options);
    }

    @Override
    public int accept(int listener) {
        return streams.accept(listener);
    }

    @Override
    public Endpoint acceptedPeer() {
        return streams.acceptedPeer();
    }

    @Override
    public int connect(Endpoint to, DialOptions options) {
        return streams.connect(to, options);
    }

    @Override
    public int takeError(int socket) {
        return streams.takeError(SocketNumber.fd(socket));
    }

    @Override
    public @Nullable Endpoint localOf(int socket) {
        return streams.localOf(SocketNumber.fd(socket));
    }

    @Override
    public int receive(int socket, byte[] into, int offset, int length) {
        return calls.recv(socket, into, offset, length, 0);
    }

    @Override
    public int send(int socket, byte[] from, int offset, int length, boolean more) {
        return calls.send(socket, from, offset, length, more ? Abi.MSG_MORE : 0);
    }

    @Override
    public int shutdownOutput(int socket) {
        return streams.shutdownOutput(socket);
    }

    @Override
    public void close(int socket) {
        if (SocketNumber.isDatagrams(socket)) {
            datagrams().close(socket);
        } else {
            int _ = calls.close(socket);
        }
    }

    @Override
    public void reset(int socket) {
        if (SocketNumber.isDatagrams(socket)) {
            datagrams().close(socket);
        } else {
            streams.reset(socket);
        }
    }

    @Override
    public boolean canSplice() {
        return true;
    }

    @Override
    public int takePipe() {
        return pipes.take();
    }

    @Override
    public void givePipe(int pipe) {
        pipes.give(pipe);
    }

    @Override
    public void dropPipe(int pipe) {
        pipes.drop(pipe);
    }

    @Override
    public long spliceIn(int socket, int pipe, long maxBytes) {
        return pipes.in(socket, pipe, maxBytes, poller.urgentSeen());
    }

    @Override
    public long spliceOut(int pipe, int socket, long maxBytes, boolean more) {
        return pipes.out(pipe, socket, maxBytes, more);
    }

    @Override
    public int bindDatagrams(Endpoint at, ListenOptions options) {
        return datagrams().bind(at, options);
    }

    @Override
    public int openDatagrams(@Nullable Endpoint to, IpAddress family, DialOptions options) {
        return datagrams().open(to, family, options);
    }

    @Override
    public int receiveDatagrams(int socket) {
        return datagrams().receive(socket);
    }

    @Override
    public int datagramLength(int index) {
        return datagrams().length(index);
    }

    @Override
    public Endpoint datagramPeer(int index) {
        return datagrams().peer(index);
    }

    @Override
    public @Nullable IpAddress datagramLocal(int index) {
        return datagrams().local(index);
    }

    @Override
    public void copyDatagram(int index, byte[] into, int offset) {
        datagrams().copy(index, into, offset);
    }

    @Override
    public void queueDatagram(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length) {
        datagrams().queue(socket, to, from, array, offset, length);
    }

    @Override
    public void flushDatagrams() {
        if (datagrams != null) {
            datagrams.flush();
        }
    }

    @Override
    public long datagramsLost() {
        return datagrams == null ? 0 : datagrams.lost();
    }

    @Override
    public void close() {
        flushDatagrams();
        pipes.close();
        for (int fd : poller.release()) {
            int _ = calls.close(fd);
        }
        arena.close();
    }

    /// Made when the first datagram socket is: a loop without UDP needs no memory for it.
    private DatagramSockets datagrams() {
        if (datagrams == null) {
            datagrams = new DatagramSockets(state, calls, arena);
        }
        return datagrams;
    }
}
