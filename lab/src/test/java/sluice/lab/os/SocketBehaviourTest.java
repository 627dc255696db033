package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.lab.os.TestLoop.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.linux.LinuxSystem;
import sluice.portable.PortableSystem;

/// What every driver does with stream sockets, whatever stands behind it.
@ParameterizedClass(name = "{0}")
@MethodSource("systems")
@Timeout(60)
final class SocketBehaviourTest {

    @Parameter Named system;

    private TestLoop loop;
    private LoopDriver driver;

    /// A system that shows its name in reports.
    record Named(OperatingSystem system) {
        @Override
        public String toString() {
            return system.name();
        }
    }

    static List<Named> systems() {
        return List.of(new Named(new LinuxSystem()), new Named(new PortableSystem()));
    }

    @BeforeEach
    void open() {
        loop = new TestLoop(system.system());
        driver = loop.driver;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void echoesWhatTheOtherEndSends() {
        int[] pair = loop.pair();

        loop.sendAll(pair[0], text("hello"));
        byte[] heard = loop.receive(pair[1], 5);
        loop.sendAll(pair[1], heard);

        assertThat(loop.receive(pair[0], 5)).isEqualTo(text("hello"));
        closeAll(pair);
    }

    @Test
    void bothEndsAgreeOnTheirAddresses() {
        int listener = loop.listen("127.0.0.1");
        int dialled = loop.connect(listener);
        int accepted = loop.accept(listener);
        loop.awaitReady(dialled, LoopDriver.WRITABLE);

        assertThat(driver.acceptedPeer()).isEqualTo(driver.localOf(dialled));
        assertThat(driver.localOf(accepted)).isEqualTo(driver.localOf(listener));
        assertThat(loop.local(dialled).address()).isEqualTo(IpAddress.LOOPBACK_V4);
        assertThat(loop.local(dialled).port()).isPositive();
        closeAll(listener, dialled, accepted);
    }

    @Test
    void aRefusedConnectEndsWithItsError() {
        int listener = loop.listen("127.0.0.1");
        Endpoint gone = loop.local(listener);
        driver.close(listener);
        loop.collect(0);

        int socket = loop.connect(gone, DialOptions.DEFAULT);
        loop.awaitReady(socket, LoopDriver.WRITABLE);

        assertThat(driver.takeError(socket)).isEqualTo(Errno.ECONNREFUSED);
        assertThat(driver.takeError(socket)).isZero();
        driver.close(socket);
    }

    @Test
    void halfCloseStopsOneDirectionOnly() {
        int[] pair = loop.pair();

        loop.sendAll(pair[0], text("request"));
        assertThat(driver.shutdownOutput(pair[0])).isZero();
        assertThat(loop.receiveToEnd(pair[1])).isEqualTo(text("request"));
        loop.sendAll(pair[1], text("answer"));
        assertThat(driver.shutdownOutput(pair[1])).isZero();

        assertThat(loop.receiveToEnd(pair[0])).isEqualTo(text("answer"));
        closeAll(pair);
    }

    @Test
    void theAcceptingEndMayHalfCloseFirst() {
        int[] pair = loop.pair();

        assertThat(driver.shutdownOutput(pair[1])).isZero();
        assertThat(loop.receiveToEnd(pair[0])).isEmpty();
        loop.sendAll(pair[0], text("late"));
        driver.close(pair[0]);
        loop.collect(0);

        assertThat(loop.receiveToEnd(pair[1])).isEqualTo(text("late"));
        driver.close(pair[1]);
    }

    @Test
    void theEndIsReportedAgainByReceive() {
        int[] pair = loop.pair();
        driver.close(pair[0]);
        loop.collect(0);

        assertThat(loop.receiveResult(pair[1])).isZero();
        assertThat(loop.receiveResult(pair[1])).isZero();
        driver.close(pair[1]);
    }

    @Test
    void resetIsSeenAsReset() {
        int[] pair = loop.pair();

        driver.reset(pair[1]);
        loop.collect(0);

        assertThat(loop.receiveResult(pair[0])).isEqualTo(-Errno.ECONNRESET);
        driver.close(pair[0]);
    }

    @Test
    void sendingToAPeerThatIsGoneFailsAndKillsNobody() {
        int[] pair = loop.pair();
        driver.reset(pair[1]);
        loop.collect(0);
        loop.awaitReady(pair[0], LoopDriver.READABLE);

        int result = driver.send(pair[0], text("anyone?"), 0, 7, false);

        assertThat(result).isIn(-Errno.EPIPE, -Errno.ECONNRESET);
        driver.close(pair[0]);
    }

    @Test
    void aSlowReaderStopsTheSenderUntilItReads() {
        int[] pair = loop.pair();
        loop.collect(0);
        byte[] block = random(1, 256 * 1024);
        int sent = 0;
        int result = driver.send(pair[0], block, 0, block.length, false);
        while (result > 0) {
            sent += result;
            result = driver.send(pair[0], block, 0, block.length, false);
        }

        assertThat(result).isEqualTo(-Errno.EAGAIN);
        loop.collect(0);
        assertThat(loop.readyWithin(pair[0], 50_000_000L) & LoopDriver.WRITABLE).isZero();
        assertThat(loop.receive(pair[1], sent)).hasSize(sent);
        assertThat(loop.awaitReady(pair[0], LoopDriver.WRITABLE)).isNotZero();
        closeAll(pair);
    }

    @Test
    void nothingIsReportedTwice() {
        int[] pair = loop.pair();
        loop.sendAll(pair[0], text("unread"));
        loop.awaitReady(pair[1], LoopDriver.READABLE);

        assertThat(loop.readyWithin(pair[1], 100_000_000L) & LoopDriver.READABLE).isZero();
        assertThat(loop.receive(pair[1], 6)).isEqualTo(text("unread"));
        closeAll(pair);
    }

    @Test
    void whatArrivesBeforeTheWatchIsReported() {
        int listener = loop.listen("127.0.0.1");
        int dialled = loop.connect(listener);
        loop.awaitReady(listener, LoopDriver.READABLE);
        int accepted = driver.accept(listener);
        loop.sendAll(dialled, text("early"));

        loop.watch(accepted);

        loop.awaitReady(accepted, LoopDriver.READABLE);
        assertThat(loop.receive(accepted, 5)).isEqualTo(text("early"));
        closeAll(listener, dialled, accepted);
    }

    @Test
    void noEventIsLostWhenReadingStopsAtAShortReceive() {
        int[] pair = loop.pair();
        Random random = new Random(7);
        byte[] bytes = random(8, 300_000);
        byte[] got = new byte[bytes.length];
        byte[] buffer = new byte[5_000];
        int sent = 0;
        int received = 0;
        while (received < bytes.length) {
            int next = Math.min(bytes.length - sent, random.nextInt(12_000));
            if (next > 0) {
                sent += Math.max(0, driver.send(pair[0], bytes, sent, next, false));
            }
            if (loop.readyWithin(pair[1], 1_000_000L) == 0) {
                continue;
            }
            int size = 1 + random.nextInt(buffer.length);
            int result = driver.receive(pair[1], buffer, 0, size);
            while (result > 0) {
                System.arraycopy(buffer, 0, got, received, result);
                received += result;
                result = result < size ? 0 : driver.receive(pair[1], buffer, 0, size);
            }
        }

        assertThat(got).isEqualTo(bytes);
        closeAll(pair);
    }

    @Test
    void manyConnectionsAreAcceptedOnOneEvent() {
        int listener = loop.listen("127.0.0.1");
        int[] dialled = new int[50];
        for (int i = 0; i < dialled.length; i++) {
            dialled[i] = loop.connect(listener);
        }
        loop.awaitReady(listener, LoopDriver.READABLE);
        int accepted = driver.accept(listener);
        int count = 0;
        while (accepted >= 0) {
            driver.close(accepted);
            count++;
            accepted = driver.accept(listener);
        }

        assertThat(accepted).isEqualTo(-Errno.EAGAIN);
        assertThat(count).isEqualTo(dialled.length);
        int later = loop.connect(listener);
        assertThat(loop.accept(listener)).isNotNegative();
        driver.close(later);
        closeAll(dialled);
        driver.close(listener);
    }

    @Test
    void wakeEndsAWaitUnderWay() throws InterruptedException {
        Thread waker =
                Thread.ofPlatform()
                        .start(() -> {
                            sleep(100);
                            driver.wake();
                        });
        long start = System.nanoTime();
        int ready = driver.await(30_000_000_000L);

        assertThat(ready).isZero();
        assertThat(System.nanoTime() - start).isBetween(50_000_000L, 20_000_000_000L);
        waker.join();
    }

    @Test
    void aWakeBeforeTheWaitEndsItAndOnlyThatOne() {
        for (int i = 0; i < 1000; i++) {
            driver.wake();
        }
        long start = System.nanoTime();
        driver.await(30_000_000_000L);
        long woken = System.nanoTime();
        driver.await(200_000_000L);

        assertThat(woken - start).isLessThan(20_000_000_000L);
        assertThat(System.nanoTime() - woken).isGreaterThan(150_000_000L);
    }

    @Test
    void wakesFromManyThreadsAreNeverLost() throws InterruptedException {
        AtomicInteger commands = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 5_000; i++) {
                                    commands.incrementAndGet();
                                    driver.wake();
                                }
                            });
        }
        int seen = 0;
        long waitedNanosMax = 0;
        while (seen < 20_000) {
            long start = System.nanoTime();
            driver.await(5_000_000_000L);
            waitedNanosMax = Math.max(waitedNanosMax, System.nanoTime() - start);
            seen = commands.get();
        }

        assertThat(seen).isEqualTo(20_000);
        assertThat(waitedNanosMax).as("the longest wait").isLessThan(4_000_000_000L);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void aClosedSocketIsReportedNoMoreEvenWhenItsNumberComesBack() {
        int[] first = loop.pair();
        loop.sendAll(first[0], text("unread"));
        driver.close(first[1]);
        driver.close(first[0]);
        loop.collect(0);
        int[] second = loop.pair();
        driver.unwatch(second[1]);
        assertThat(driver.watch(second[1], 4711)).isZero();
        loop.sendAll(second[0], text("x"));
        long seen = 0;
        for (int turn = 0; turn < 100 && seen == 0; turn++) {
            int count = driver.await(100_000_000L);
            for (int i = 0; i < count; i++) {
                if ((driver.readiness(i) & LoopDriver.READABLE) != 0) {
                    seen = driver.token(i);
                }
            }
        }

        assertThat(seen).isEqualTo(4711);
        closeAll(second);
    }

    @Test
    void unwatchSilencesASocket() {
        int[] pair = loop.pair();
        loop.unwatch(pair[1]);
        loop.sendAll(pair[0], text("x"));

        assertThat(loop.readyWithin(pair[1], 100_000_000L)).isZero();
        closeAll(pair);
    }

    @Test
    void oneLoopAcceptsForAnother() throws InterruptedException {
        int listener = loop.listen("127.0.0.1");
        int dialled = loop.connect(listener);
        loop.awaitReady(listener, LoopDriver.READABLE);
        int accepted = driver.accept(listener);
        loop.sendAll(dialled, text("over there"));
        StringBuilder heard = new StringBuilder();
        Thread other =
                Thread.ofPlatform()
                        .start(() -> {
                            try (TestLoop elsewhere = new TestLoop(system.system())) {
                                elsewhere.watch(accepted);
                                byte[] got = elsewhere.receive(accepted, 10);
                                heard.append(new String(got, StandardCharsets.US_ASCII));
                                elsewhere.driver.close(accepted);
                            }
                        });
        other.join();

        assertThat(heard.toString()).isEqualTo("over there");
        assertThat(loop.receiveToEnd(dialled)).isEmpty();
        closeAll(listener, dialled);
    }

    @Test
    void megabytesArriveIntact() {
        int[] pair = loop.pair();
        byte[] bytes = random(3, 4 << 20);
        byte[] got = new byte[bytes.length];
        int sent = 0;
        int received = 0;
        while (received < bytes.length) {
            int out =
                    driver.send(pair[0], bytes, sent, Math.min(262_128, bytes.length - sent), true);
            sent += Math.max(0, out);
            int in = driver.receive(pair[1], got, received, bytes.length - received);
            received += Math.max(0, in);
            if (out == -Errno.EAGAIN && in == -Errno.EAGAIN) {
                loop.collect(1_000_000L);
            }
        }

        assertThat(got).isEqualTo(bytes);
        closeAll(pair);
    }

    @Test
    void bytesSentBeforeACloseArriveBeforeTheEnd() {
        int[] pair = loop.pair();
        byte[] bytes = random(4, 100_000);
        loop.sendAll(pair[0], bytes);
        driver.close(pair[0]);
        loop.collect(0);

        assertThat(loop.receiveToEnd(pair[1])).isEqualTo(bytes);
        driver.close(pair[1]);
    }

    @Test
    void anIpv6WildcardServesIpv4AsWell() {
        int listener = driver.listen(endpoint("[::]:0"), ListenOptions.DEFAULT);
        Assumptions.assumeTrue(listener >= 0, "no IPv6 here");
        loop.watch(listener);
        int port = loop.local(listener).port();

        int v4 = loop.connect(endpoint("127.0.0.1:" + port), DialOptions.DEFAULT);
        int acceptedV4 = loop.accept(listener);
        Endpoint peerV4 = driver.acceptedPeer();
        int v6 = loop.connect(endpoint("[::1]:" + port), DialOptions.DEFAULT);
        int acceptedV6 = loop.accept(listener);
        Endpoint peerV6 = driver.acceptedPeer();
        loop.awaitReady(v4, LoopDriver.WRITABLE);
        loop.awaitReady(v6, LoopDriver.WRITABLE);

        assertThat(peerV4).isEqualTo(driver.localOf(v4));
        assertThat(peerV4.address().isV4()).isTrue();
        assertThat(peerV6).isEqualTo(driver.localOf(v6));
        assertThat(peerV6.address()).isEqualTo(IpAddress.LOOPBACK_V6);
        closeAll(listener, v4, acceptedV4, v6, acceptedV6);
    }

    @Test
    void anAddressInUseIsRefused() {
        int listener = loop.listen("127.0.0.1");

        int second = driver.listen(loop.local(listener), ListenOptions.DEFAULT);

        assertThat(second).isEqualTo(-Errno.EADDRINUSE);
        driver.close(listener);
    }

    @Test
    void anAddressOfSomebodyElseIsRefused() {
        int listener = driver.listen(endpoint("203.0.113.7:0"), ListenOptions.DEFAULT);

        assertThat(listener).isEqualTo(-Errno.EADDRNOTAVAIL);
    }

    @Test
    void theSourceAddressCanBeChosen() {
        int listener = loop.listen("127.0.0.1");
        DialOptions options =
                new DialOptions(
                        null,
                        new IpAddress(0, 0x7f00_0005L, true),
                        null,
                        0,
                        false,
                        1_000_000_000L,
                        false,
                        false,
                        true,
                        60,
                        10);

        int dialled = loop.connect(loop.local(listener), options);
        int accepted = loop.accept(listener);

        assertThat(driver.acceptedPeer().address()).hasToString("127.0.0.5");
        closeAll(listener, dialled, accepted);
    }

    @Test
    void numbersThatAreNoSocketsAreRefused() {
        assertThat(driver.receive(9_999, new byte[1], 0, 1)).isEqualTo(-Errno.EBADF);
        assertThat(driver.send(9_999, new byte[1], 0, 1, false)).isEqualTo(-Errno.EBADF);
        assertThat(driver.watch(9_999, 1)).isEqualTo(-Errno.EBADF);
        assertThat(driver.localOf(9_999)).isNull();
    }

    private void closeAll(int... sockets) {
        for (int socket : sockets) {
            driver.close(socket);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] random(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
