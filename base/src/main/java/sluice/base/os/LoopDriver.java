package sluice.base.os;

import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// Everything one event loop asks of the operating system. Owned by that loop's thread; only
/// [#wake] may be called from elsewhere. Sockets are plain numbers, valid in every driver of the
/// process, so that a loop can accept for another one; they never block.
///
/// Results: 0 or more is success, below 0 a negated [Errno] value; `-EAGAIN` is an answer, not a
/// fault. Arrays are borrowed for the call.
///
/// Readiness is edge-style: it is reported when it begins. The owner acts until a call says
/// `-EAGAIN` or moves less than asked; what it leaves unread is not reported again. After [#ENDED],
/// a short receive proves nothing: receive until 0.
public interface LoopDriver extends AutoCloseable {

    /// Bytes can be received, or a connection accepted.
    int READABLE = 1;

    /// An urgent byte (TCP's "out of band" data) came: receives may stop short of what is there.
    int URGENT = 2;

    /// Bytes can be sent, or a connect has ended.
    int WRITABLE = 4;

    /// The socket has an error; see [#takeError].
    int FAILED = 8;

    /// Both directions are over.
    int HUNG_UP = 16;

    /// The peer has half-closed; bytes may still be unread.
    int ENDED = 0x2000;

    /// Waits for readiness or [#wake], at most `timeoutNanos` (below 0: without limit; 0: not at
    /// all). Returns how many sockets are ready.
    int await(long timeoutNanos);

    /// The token of the ready socket at `index`.
    long token(int index);

    /// The readiness bits of the ready socket at `index`.
    int readiness(int index);

    /// Makes the present or next [#await] return. Any thread; cheap when repeated.
    void wake();

    /// Reports readiness of `socket` under `token` from now on, until it is closed. Datagram
    /// sockets are never reported as [#WRITABLE].
    ///
    /// @param token any number but [Long#MIN_VALUE]
    int watch(int socket, long token);

    /// Stops reporting `socket` to this loop.
    int unwatch(int socket);

    // Streams

    /// Opens a listening stream socket. Returns it.
    int listen(Endpoint at, ListenOptions options);

    /// Takes a connection. Returns its socket: non-blocking, close-on-exec, TCP_NODELAY, keep-alive
    /// as the listener's options say. The peer is [#acceptedPeer].
    int accept(int listener);

    /// The peer of the connection that [#accept] took last.
    Endpoint acceptedPeer();

    /// Starts to connect. Returns the socket at once; [#WRITABLE] says that it ended, [#takeError]
    /// how.
    int connect(Endpoint to, DialOptions options);

    /// The socket's pending error, cleared by asking: 0, or a positive [Errno] value.
    int takeError(int socket);

    /// The socket's own address, or null where it has none.
    @Nullable Endpoint localOf(int socket);

    /// Receives into the array. Returns the bytes, 0 at the end of the stream.
    int receive(int socket, byte[] into, int offset, int length);

    /// Sends from the array. Returns the bytes taken, which may be fewer.
    ///
    /// @param more whether more follows at once (MSG_MORE)
    int send(int socket, byte[] from, int offset, int length, boolean more);

    /// Half-closes: FIN behind what was sent.
    int shutdownOutput(int socket);

    /// Closes; FIN, or RST where bytes were left unread.
    void close(int socket);

    /// Closes with RST.
    void reset(int socket);

    // Moving bytes inside the kernel

    /// Whether [#splice] works here.
    boolean canSplice();

    /// Takes an empty pipe for [#splice]. Returns its index, or a negated errno (then copy
    /// instead).
    int takePipe();

    /// Gives an empty pipe back for the next one.
    void givePipe(int pipe);

    /// Closes a pipe that may still hold bytes.
    void dropPipe(int pipe);

    /// Moves bytes from the socket into the pipe, which must be empty. Returns bytes, 0 at the end
    /// of the stream. Fewer than asked proves nothing, because a pipe may be full of small pieces:
    /// go on until `-EAGAIN`.
    long spliceIn(int socket, int pipe, long maxBytes);

    /// Moves bytes from the pipe to the socket.
    ///
    /// @param more whether more follows at once
    long spliceOut(int pipe, int socket, long maxBytes, boolean more);

    // Datagrams

    /// Opens a datagram socket bound to `at`.
    int bindDatagrams(Endpoint at, ListenOptions options);

    /// Opens a datagram socket for dialling: bound by `options`, any port; connected to `to` unless
    /// null.
    ///
    /// @param family an address of the family to use where `to` is null
    int openDatagrams(@Nullable Endpoint to, IpAddress family, DialOptions options);

    /// Receives what is there, up to a batch. Returns how many datagrams [#datagramLength] and its
    /// kin describe until the next call; go on until `-EAGAIN`. Once said, that is the answer until
    /// the next [#await].
    int receiveDatagrams(int socket);

    /// Bytes of the received datagram at `index`.
    int datagramLength(int index);

    /// Where it came from. The same object for the same address, mostly, so that nothing is
    /// allocated.
    Endpoint datagramPeer(int index);

    /// Which local address it was sent to; null where the driver cannot tell or the socket has only
    /// one.
    @Nullable IpAddress datagramLocal(int index);

    /// Copies it into the array.
    void copyDatagram(int index, byte[] into, int offset);

    /// Queues a datagram for the next [#flushDatagrams]; copies the bytes. Flushes by itself when
    /// full, or when `socket` is another one than before.
    ///
    /// @param to target, or null on a connected socket
    /// @param from local address to send from, or null
    void queueDatagram(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length);

    /// Sends what is queued. Datagrams that the socket does not take are lost and counted.
    void flushDatagrams();

    /// Datagrams lost in [#flushDatagrams] so far.
    long datagramsLost();

    /// Releases everything but the sockets.
    @Override
    void close();
}
