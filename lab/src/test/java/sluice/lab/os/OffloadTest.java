package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;

/// Runs of datagrams that the kernel cuts up and puts together (UDP_SEGMENT, UDP_GRO).
@Timeout(60)
final class OffloadTest {

    /// A batch of the receiver has no more messages than this, so that more datagrams came in runs.
    private static final int MESSAGES_PER_BATCH = 16;

    private TestLoop loop;
    private LoopDriver driver;

    @BeforeEach
    void open() {
        loop = new TestLoop(new LinuxSystem());
        driver = loop.driver;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void aRunIsOnePacketFromSocketToSocket() {
        int server = bind();
        int client = dial(loop.local(server));
        byte[] bytes = random(1, 46 * 1400);
        queue(client, bytes, 1400);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);

        int count = driver.receiveDatagrams(server);

        assertThat(count).isEqualTo(46).isGreaterThan(MESSAGES_PER_BATCH);
        assertReceived(bytes, 1400, count);
        assertThat(driver.receiveDatagrams(server)).isEqualTo(-Errno.EAGAIN);
    }

    @Test
    void theLastOfARunMayBeShorter() {
        int server = bind();
        int client = dial(loop.local(server));
        byte[] bytes = random(2, 30 * 1000 + 7);
        queue(client, bytes, 1000);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);

        int count = driver.receiveDatagrams(server);

        assertThat(count).isEqualTo(31);
        assertReceived(bytes, 1000, count);
    }

    @Test
    void receiversWithoutOffloadGetSingleDatagrams() throws IOException {
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            plain.setSoTimeout(5_000);
            int client = dial(new Endpoint(IpAddress.LOOPBACK_V4, plain.getLocalPort()));
            byte[] bytes = random(3, 100 * 300);
            queue(client, bytes, 300);
            driver.flushDatagrams();

            for (int at = 0; at < bytes.length; at += 300) {
                DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
                plain.receive(packet);
                assertThat(packet.getLength()).isEqualTo(300);
                assertThat(packet.getData()).startsWith(slice(bytes, at, 300));
            }
        }
        assertThat(driver.datagramsLost()).isZero();
    }

    @Test
    void moreThanAQueueHoldsIsFlushedOnTheWay() {
        int server = bind();
        int client = dial(loop.local(server));
        byte[] bytes = random(4, 400 * 1200);
        queue(client, bytes, 1200);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);
        int at = 0;
        for (int count = driver.receiveDatagrams(server);
                count > 0;
                count = driver.receiveDatagrams(server)) {
            byte[] part = new byte[1200];
            for (int i = 0; i < count; i++) {
                assertThat(driver.datagramLength(i)).isEqualTo(1200);
                driver.copyDatagram(i, part, 0);
                assertThat(part).isEqualTo(slice(bytes, at, 1200));
                at += 1200;
            }
        }

        assertThat(at).isEqualTo(bytes.length);
        assertThat(driver.datagramsLost()).isZero();
    }

    @Test
    void equalDatagramsToSeveralPeersAreNotMixed() {
        int first = bind();
        int second = bind();
        int client = bind();
        for (int i = 0; i < 30; i++) {
            byte[] bytes = random(i, 500);
            driver.queueDatagram(
                    client, loop.local(i % 3 == 0 ? second : first), null, bytes, 0, 500);
        }
        driver.flushDatagrams();
        byte[] got = new byte[500];

        for (int socket : new int[] {first, second}) {
            loop.awaitReady(socket, LoopDriver.READABLE);
            int count = driver.receiveDatagrams(socket);
            assertThat(count).isEqualTo(socket == first ? 20 : 10);
            for (int i = 0; i < count; i++) {
                driver.copyDatagram(i, got, 0);
                int sent = socket == first ? i / 2 * 3 + 1 + i % 2 : i * 3;
                assertThat(got).as("datagram " + sent).isEqualTo(random(sent, 500));
                assertThat(driver.datagramPeer(i)).isEqualTo(loop.local(client));
            }
        }
    }

    @Test
    void aKnownPeerIsTheSameObject() {
        int server = bind();
        int client = bind();
        Endpoint at = loop.local(server);
        byte[] bytes = random(5, 10);
        driver.queueDatagram(client, at, null, bytes, 0, 10);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);
        driver.receiveDatagrams(server);
        Endpoint first = driver.datagramPeer(0);
        driver.queueDatagram(client, at, null, bytes, 0, 10);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);
        driver.receiveDatagrams(server);

        assertThat(driver.datagramPeer(0)).isSameAs(first).isEqualTo(loop.local(client));
    }

    @Test
    void datagramsTooLargeForOnePacketTogetherBecomeSeveralRuns() {
        int server = bind();
        int client = dial(loop.local(server));
        byte[] bytes = random(6, 5 * 20_000);
        queue(client, bytes, 20_000);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);

        int count = driver.receiveDatagrams(server);

        assertThat(count).isEqualTo(5);
        assertReceived(bytes, 20_000, count);
    }

    @Test
    void memoryOfABurstComesBackAfterARest() throws IOException {
        int server = bind();
        int client = dial(loop.local(server));
        byte[] bytes = random(7, 10 * 50_000);
        long gainMax = 0;
        // The compiler takes and gives memory meanwhile; several tries tell it apart.
        for (int i = 0; i < 10; i++) {
            queue(client, bytes, 50_000);
            driver.flushDatagrams();
            loop.awaitReady(server, LoopDriver.READABLE);
            while (driver.receiveDatagrams(server) > 0) {
                assertThat(driver.datagramLength(0)).isEqualTo(50_000);
            }
            long busyBytes = residentBytes();
            for (int wait = 0; wait < 10; wait++) {
                loop.collect(1_000_000L);
            }
            gainMax = Math.max(gainMax, busyBytes - residentBytes());
        }

        assertThat(gainMax).isGreaterThan(400_000);
        queue(client, bytes, 1200);
        driver.flushDatagrams();
        loop.awaitReady(server, LoopDriver.READABLE);
        assertThat(driver.receiveDatagrams(server)).isPositive();
        byte[] got = new byte[1200];
        driver.copyDatagram(0, got, 0);
        assertThat(got).isEqualTo(slice(bytes, 0, 1200));
    }

    /// Of private memory that stands behind no file, in pages.
    private static long residentBytes() throws IOException {
        String[] fields = Files.readString(Path.of("/proc/self/statm")).split(" ");
        return 4096 * (Long.parseLong(fields[1]) - Long.parseLong(fields[2]));
    }

    private void assertReceived(byte[] bytes, int size, int count) {
        byte[] got = new byte[bytes.length];
        int at = 0;
        for (int i = 0; i < count; i++) {
            assertThat(driver.datagramLength(i)).isEqualTo(Math.min(size, bytes.length - at));
            driver.copyDatagram(i, got, at);
            at += driver.datagramLength(i);
        }
        assertThat(got).isEqualTo(bytes);
    }

    private void queue(int socket, byte[] bytes, int size) {
        for (int at = 0; at < bytes.length; at += size) {
            int length = Math.min(size, bytes.length - at);
            driver.queueDatagram(socket, null, null, bytes, at, length);
        }
    }

    private int bind() {
        int socket = driver.bindDatagrams(TestLoop.endpoint("127.0.0.1:0"), ListenOptions.DEFAULT);
        loop.watch(socket);
        return socket;
    }

    private int dial(Endpoint to) {
        int socket = driver.openDatagrams(to, to.address(), DialOptions.DEFAULT);
        loop.watch(socket);
        return socket;
    }

    private static byte[] slice(byte[] bytes, int at, int length) {
        return java.util.Arrays.copyOfRange(bytes, at, at + length);
    }

    private static byte[] random(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
