package sluice.linux.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.linux.ffi.Abi;
import sluice.linux.ffi.CallState;
import sluice.linux.ffi.PipeCalls;
import sluice.linux.ffi.SocketCalls;

/// Asks the kernel whether sockets are made as the options say.
@Timeout(60)
final class SocketOptionsTest {
    private static final Endpoint ANY_PORT = new Endpoint(IpAddress.LOOPBACK_V4, 0);

    // fcntl(2), socket(7), errno(3)
    private static final int F_GETFD = 1;
    private static final int F_GETFL = 3;
    private static final int FD_CLOEXEC = 1;
    private static final int SO_PROTOCOL = 38;
    private static final int ENODEV = 19;

    private final Arena arena = Arena.ofConfined();
    private final CallState state = new CallState(arena);
    private final SocketCalls calls = new SocketCalls(state, arena);
    private final PipeCalls descriptors = new PipeCalls(state, arena);
    private final StreamSockets streams = new StreamSockets(calls, arena);
    private final DatagramSockets datagrams = new DatagramSockets(state, calls, arena);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void everySocketIsNonBlockingAndEndsWithTheProgram() {
        int listener = streams.listen(ANY_PORT, ListenOptions.DEFAULT);
        int dialled = streams.connect(streams.localOf(listener), DialOptions.DEFAULT);
        int accepted = accept(listener);
        int bound = datagrams.bind(ANY_PORT, ListenOptions.DEFAULT);
        int open = datagrams.open(null, IpAddress.ANY_V4, DialOptions.DEFAULT);
        descriptors.pipe();

        for (int fd :
                new int[] {
                    listener,
                    dialled,
                    accepted,
                    SocketNumber.fd(bound),
                    SocketNumber.fd(open),
                    descriptors.readEnd(),
                    descriptors.writeEnd()
                }) {
            assertThat(descriptors.fcntl(fd, F_GETFD, 0)).isEqualTo(FD_CLOEXEC);
            assertThat(descriptors.fcntl(fd, F_GETFL, 0) & Abi.O_NONBLOCK).isNotZero();
            calls.close(fd);
        }
    }

    @Test
    void bothEndsSendAtOnce() {
        int listener = streams.listen(ANY_PORT, ListenOptions.DEFAULT);
        int dialled = streams.connect(streams.localOf(listener), DialOptions.DEFAULT);
        int accepted = accept(listener);

        assertThat(calls.getsockopt(dialled, Abi.SOL_TCP, Abi.TCP_NODELAY)).isEqualTo(1);
        assertThat(calls.getsockopt(accepted, Abi.SOL_TCP, Abi.TCP_NODELAY)).isEqualTo(1);
        closeAll(listener, dialled, accepted);
    }

    @Test
    void connectionsAreKeptAliveAsAsked() {
        int listener = streams.listen(ANY_PORT, listen(null, 0, false, 99, 13));
        int bare = streams.listen(ANY_PORT, listen(null, 0, false, 0, 13));
        int dialled =
                streams.connect(
                        streams.localOf(listener), dial(null, 0, false, false, true, 77, 11));
        int accepted = accept(listener);
        int plain =
                streams.connect(streams.localOf(bare), dial(null, 0, false, false, true, 0, 11));
        int acceptedPlain = accept(bare);

        assertThat(keepAlive(dialled)).containsExactly(1, 77, 11);
        assertThat(keepAlive(accepted)).containsExactly(1, 99, 13);
        assertThat(keepAlive(plain)[0]).isZero();
        assertThat(keepAlive(acceptedPlain)[0]).isZero();
        closeAll(listener, bare, dialled, accepted, plain, acceptedPlain);
    }

    private int[] keepAlive(int fd) {
        return new int[] {
            calls.getsockopt(fd, Abi.SOL_SOCKET, Abi.SO_KEEPALIVE),
            calls.getsockopt(fd, Abi.SOL_TCP, Abi.TCP_KEEPIDLE),
            calls.getsockopt(fd, Abi.SOL_TCP, Abi.TCP_KEEPINTVL)
        };
    }

    @Test
    void marksAreSetOrTheConnectFails() {
        int listener = streams.listen(ANY_PORT, ListenOptions.DEFAULT);
        Endpoint at = streams.localOf(listener);

        int dialled = streams.connect(at, dial(null, 0x77, false, false, true, 0, 0));

        Assumptions.assumeTrue(dialled != -Errno.EPERM, "marks need privilege");
        assertThat(calls.getsockopt(dialled, Abi.SOL_SOCKET, Abi.SO_MARK)).isEqualTo(0x77);
        closeAll(listener, dialled);
    }

    @Test
    void anInterfaceThatDoesNotExistRefuses() {
        int listener = streams.listen(ANY_PORT, ListenOptions.DEFAULT);
        Endpoint at = streams.localOf(listener);
        int through = streams.connect(at, dial("lo", 0, false, false, true, 0, 0));
        ListenOptions nowhere = listen("nosuchif0", 0, false, 0, 0);

        assertThat(through).isNotNegative();
        assertThat(streams.connect(at, dial("nosuchif0", 0, false, false, true, 0, 0)))
                .isEqualTo(-ENODEV);
        assertThat(datagrams.open(at, at.address(), dial("nosuchif0", 0, false, false, true, 0, 0)))
                .isEqualTo(-ENODEV);
        assertThat(streams.listen(ANY_PORT, nowhere)).isEqualTo(-ENODEV);
        assertThat(streams.connect(at, dial("x".repeat(100), 0, false, false, true, 0, 0)))
                .isEqualTo(-Errno.EINVAL);
        closeAll(listener, through);
    }

    @Test
    void multipathFallsBackToTcp() {
        ListenOptions options = listen(null, 0, true, 0, 0);
        int listener = streams.listen(ANY_PORT, options);
        int dialled =
                streams.connect(streams.localOf(listener), dial(null, 0, false, true, true, 0, 0));
        int accepted = accept(listener);

        assertThat(calls.getsockopt(listener, Abi.SOL_SOCKET, SO_PROTOCOL))
                .isIn(Abi.IPPROTO_MPTCP, Abi.SOL_TCP);
        assertThat(accepted).isNotNegative();
        closeAll(listener, dialled, accepted);
    }

    @Test
    void fastOpenConnectsWithTheFirstBytes() {
        ListenOptions options = listen(null, 64, false, 0, 0);
        int listener = streams.listen(ANY_PORT, options);
        int dialled =
                streams.connect(streams.localOf(listener), dial(null, 0, true, false, true, 0, 0));

        assertThat(calls.getsockopt(listener, Abi.SOL_TCP, Abi.TCP_FASTOPEN)).isEqualTo(64);
        assertThat(calls.getsockopt(dialled, Abi.SOL_TCP, Abi.TCP_FASTOPEN_CONNECT)).isEqualTo(1);
        byte[] hello = {1, 2, 3};
        assertThat(calls.send(dialled, hello, 0, 3, 0)).isIn(3, -Errno.EINPROGRESS);
        closeAll(listener, dialled);
    }

    @Test
    void oneWildcardServesBothFamiliesUnlessToldOtherwise() {
        Endpoint wildcard = new Endpoint(IpAddress.ANY_V6, 0);
        int both = streams.listen(wildcard, ListenOptions.DEFAULT);
        Assumptions.assumeTrue(both >= 0, "no IPv6 here");
        int only = streams.listen(wildcard, ListenOptions.DEFAULT.withOnlyV6());
        int loopback =
                streams.listen(new Endpoint(IpAddress.LOOPBACK_V6, 0), ListenOptions.DEFAULT);

        assertThat(calls.getsockopt(both, Abi.SOL_IPV6, Abi.IPV6_V6ONLY)).isZero();
        assertThat(calls.getsockopt(only, Abi.SOL_IPV6, Abi.IPV6_V6ONLY)).isEqualTo(1);
        assertThat(calls.getsockopt(loopback, Abi.SOL_IPV6, Abi.IPV6_V6ONLY)).isEqualTo(1);
        int port = streams.localOf(only).port();
        int v4 = streams.listen(new Endpoint(IpAddress.ANY_V4, port), ListenOptions.DEFAULT);
        assertThat(v4).as("the same port for IPv4").isNotNegative();
        closeAll(both, only, loopback, v4);
    }

    @Test
    void datagramsAreNotFragmentedWhereTheyMustNotBe() {
        DialOptions whole = dial(null, 0, false, false, false, 0, 0);
        int v4 = datagrams.open(null, IpAddress.ANY_V4, whole);
        int loose = datagrams.open(null, IpAddress.ANY_V4, DialOptions.DEFAULT);

        assertThat(calls.getsockopt(SocketNumber.fd(v4), Abi.SOL_IP, Abi.IP_MTU_DISCOVER))
                .isEqualTo(Abi.PMTUDISC_DO);
        assertThat(calls.getsockopt(SocketNumber.fd(loose), Abi.SOL_IP, Abi.IP_MTU_DISCOVER))
                .isNotEqualTo(Abi.PMTUDISC_DO);
        int v6 = datagrams.open(null, IpAddress.ANY_V6, whole);
        if (v6 >= 0) {
            assertThat(calls.getsockopt(SocketNumber.fd(v6), Abi.SOL_IPV6, Abi.IPV6_MTU_DISCOVER))
                    .isEqualTo(Abi.PMTUDISC_DO);
            datagrams.close(v6);
        }
        datagrams.close(v4);
        datagrams.close(loose);
    }

    @Test
    void datagramSocketsHaveRoomToReceive() {
        int listener = datagrams.bind(ANY_PORT, ListenOptions.DEFAULT);
        int flow = datagrams.open(null, IpAddress.ANY_V4, DialOptions.DEFAULT);

        int listenerBytes =
                calls.getsockopt(SocketNumber.fd(listener), Abi.SOL_SOCKET, Abi.SO_RCVBUF);
        int flowBytes = calls.getsockopt(SocketNumber.fd(flow), Abi.SOL_SOCKET, Abi.SO_RCVBUF);

        // The kernel doubles what is asked, for its own overhead; without privilege it caps it
        // first.
        assertThat(listenerBytes).isGreaterThanOrEqualTo(212_992);
        assertThat(flowBytes).isBetween(212_992, listenerBytes);
        datagrams.close(listener);
        datagrams.close(flow);
    }

    @Test
    void numbersOfDatagramSocketsTellWhatTheyAre() {
        int v4 = datagrams.bind(ANY_PORT, ListenOptions.DEFAULT);

        assertThat(SocketNumber.isDatagrams(v4)).isTrue();
        assertThat(SocketNumber.isV6(v4)).isFalse();
        assertThat(SocketNumber.isDatagrams(SocketNumber.fd(v4))).isFalse();
        assertThat(SocketNumber.isV6(SocketNumber.ofDatagrams(7, true))).isTrue();
        assertThat(SocketNumber.fd(SocketNumber.ofDatagrams(7, true))).isEqualTo(7);
        datagrams.close(v4);
    }

    private static ListenOptions listen(
            String bindInterface,
            int fastOpenQueue,
            boolean multipath,
            int idleSeconds,
            int intervalSeconds) {
        return new ListenOptions(
                16,
                true,
                false,
                bindInterface,
                0,
                fastOpenQueue,
                multipath,
                idleSeconds,
                intervalSeconds,
                false);
    }

    private static DialOptions dial(
            String bindInterface,
            int mark,
            boolean fastOpen,
            boolean multipath,
            boolean fragment,
            int idleSeconds,
            int intervalSeconds) {
        return new DialOptions(
                bindInterface,
                null,
                null,
                mark,
                false,
                5_000_000_000L,
                fastOpen,
                multipath,
                fragment,
                idleSeconds,
                intervalSeconds);
    }

    private int accept(int listener) {
        int accepted = streams.accept(listener);
        while (accepted == -Errno.EAGAIN) {
            Thread.onSpinWait();
            accepted = streams.accept(listener);
        }
        return accepted;
    }

    private void closeAll(int... sockets) {
        for (int socket : sockets) {
            calls.close(socket);
        }
    }
}
