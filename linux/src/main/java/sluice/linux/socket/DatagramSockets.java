package sluice.linux.socket;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.DatagramCalls;
import sluice.linux.ffi.SocketCalls;

/// UDP sockets: making them, and the two ways through them. Owned by one loop thread.
public final class DatagramSockets {

    /// A listener serves many flows, and the loop may be busy with others for some milliseconds; 4
    /// MiB is 30 ms at 1 Gbit/s. The kernel counts what is really there.
    private static final int LISTENER_BUFFER_BYTES = 4 << 20;

    /// One flow.
    private static final int FLOW_BUFFER_BYTES = 1 << 20;

    /// Enough for a loop that is woken now and then between datagrams.
    private static final int EMPTY_WAITS_MAX = 8;

    private final SocketCalls calls;
    private final SocketSetup setup;
    private final DatagramReceiver receiver;
    private final DatagramSender sender;
    private boolean mayForce = true;
    private int emptyWaits;

    /// @param arena lives as long as the loop
    public DatagramSockets(CallState state, SocketCalls calls, Arena arena) {
        this.calls = calls;
        setup = new SocketSetup(calls, arena);
        DatagramCalls datagrams = new DatagramCalls(state);
        receiver = new DatagramReceiver(datagrams, arena);
        sender = new DatagramSender(datagrams, arena);
    }

    /// Opens a socket bound to `at`. Returns its number, or a negated error number. SO_REUSEADDR is
    /// not set, whatever the options say: it would let two processes share the port, and the later
    /// one take all.
    public int bind(Endpoint at, ListenOptions options) {
        boolean v6 = !at.address().isV4();
        int fd = calls.socket(SocketSetup.family(at.address()), Abi.SOCK_DGRAM, 0);
        if (fd < 0) {
            return fd;
        }
        int result = setup.prepare(fd, at, options, false);
        if (result < 0) {
            int _ = calls.close(fd);
            return result;
        }
        enlarge(fd, LISTENER_BUFFER_BYTES);
        int _ = calls.setsockopt(fd, Abi.SOL_UDP, Abi.UDP_GRO, 1);
        if (at.address().isAny()) {
            int level = v6 ? Abi.SOL_IPV6 : Abi.SOL_IP;
            int _ = calls.setsockopt(fd, level, v6 ? Abi.IPV6_RECVPKTINFO : Abi.IP_PKTINFO, 1);
        }
        return SocketNumber.ofDatagrams(fd, v6);
    }

    /// Opens a socket for dialling, connected to `to` unless null. Returns its number, or a negated
    /// error number.
    public int open(@Nullable Endpoint to, IpAddress family, DialOptions options) {
        IpAddress target = to == null ? family : to.address();
        boolean v6 = !target.isV4();
        int fd = calls.socket(SocketSetup.family(target), Abi.SOCK_DGRAM, 0);
        if (fd < 0) {
            return fd;
        }
        int result = setup.prepare(fd, target, options);
        if (result >= 0 && !options.udpFragment()) {
            result =
                    v6
                            ? calls.setsockopt(
                                    fd, Abi.SOL_IPV6, Abi.IPV6_MTU_DISCOVER, Abi.PMTUDISC_DO)
                            : calls.setsockopt(
                                    fd, Abi.SOL_IP, Abi.IP_MTU_DISCOVER, Abi.PMTUDISC_DO);
        }
        if (result >= 0 && to != null) {
            result = setup.connect(fd, to);
        }
        if (result < 0) {
            int _ = calls.close(fd);
            return result;
        }
        enlarge(fd, FLOW_BUFFER_BYTES);
        int _ = calls.setsockopt(fd, Abi.SOL_UDP, Abi.UDP_GRO, 1);
        return SocketNumber.ofDatagrams(fd, v6);
    }

    /// Closes a socket.
    public void close(int socket) {
        sender.forget(socket);
        receiver.forget(socket);
        int _ = calls.close(SocketNumber.fd(socket));
    }

    /// A turn of the loop begins. After some waits in vain memory goes back to the system: up to
    /// 1.1 MiB that a burst has left behind.
    ///
    /// @param rested whether the loop waited and nothing came
    public void startTurn(boolean rested) {
        receiver.startTurn();
        if (rested && ++emptyWaits == EMPTY_WAITS_MAX) {
            receiver.giveBack();
            sender.giveBack();
        }
    }

    /// Receives a batch. Returns how many datagrams there are, or a negated error number.
    public int receive(int socket) {
        emptyWaits = 0;
        return receiver.receive(socket);
    }

    /// Bytes of a received datagram.
    public int length(int index) {
        return receiver.length(index);
    }

    /// Where a received datagram came from.
    public Endpoint peer(int index) {
        return receiver.peer(index);
    }

    /// Which local address a received datagram was sent to, on sockets bound to a wildcard.
    public @Nullable IpAddress local(int index) {
        return receiver.local(index);
    }

    /// Copies a received datagram.
    public void copy(int index, byte[] into, int offset) {
        receiver.copy(index, into, offset);
    }

    /// Queues a copy of a datagram.
    public void queue(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length) {
        emptyWaits = 0;
        sender.queue(socket, to, from, array, offset, length);
    }

    /// Sends what is queued.
    public void flush() {
        sender.flush();
    }

    /// Datagrams that could not be sent.
    public long lost() {
        return sender.lost();
    }

    /// Both directions; beyond the system's limit only with privilege.
    private void enlarge(int fd, int bytes) {
        if (mayForce && calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_RCVBUFFORCE, bytes) >= 0) {
            int _ = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_SNDBUFFORCE, bytes);
            return;
        }
        mayForce = false;
        int _ = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_RCVBUF, bytes);
        int _ = calls.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_SNDBUF, bytes);
    }
}
