package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;

/// Moving bytes between sockets inside the kernel, and the places where the kernel's splice(2) is
/// peculiar.
@Timeout(60)
final class SpliceTest {
    private static final long CHUNK_BYTES = 1 << 20;

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
    void megabytesPassUntouched() {
        int[] in = loop.pair();
        int[] out = loop.pair();
        byte[] bytes = random(1, 8 << 20);
        byte[] got = new byte[bytes.length];
        Relay relay = new Relay(in[1], out[0]);
        int sent = 0;
        int received = 0;
        while (received < bytes.length) {
            int length = Math.min(100_000, bytes.length - sent);
            sent += Math.max(0, driver.send(in[0], bytes, sent, length, false));
            relay.run();
            received += Math.max(0, driver.receive(out[1], got, received, bytes.length - received));
            loop.collect(0);
        }

        assertThat(got).isEqualTo(bytes);
        relay.close();
        closeAll(in, out);
    }

    @Test
    void theEndPassesBehindTheLastByte() {
        int[] in = loop.pair();
        int[] out = loop.pair();
        byte[] bytes = random(2, 50_000);
        loop.sendAll(in[0], bytes);
        driver.close(in[0]);
        Relay relay = new Relay(in[1], out[0]);
        while (!relay.ended) {
            relay.run();
            loop.collect(1_000_000L);
        }
        driver.shutdownOutput(out[0]);

        assertThat(loop.receiveToEnd(out[1])).isEqualTo(bytes);
        relay.close();
        closeAll(in, out);
    }

    @Test
    void segmentsOfOneByteNeitherStallNorSpin() {
        int[] in = loop.pair();
        int[] out = loop.pair();
        byte[] bytes = random(3, 3_000);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(driver.send(in[0], bytes, i, 1, false)).isEqualTo(1);
        }
        Relay relay = new Relay(in[1], out[0]);
        relay.run();

        assertThat(loop.receive(out[1], bytes.length)).isEqualTo(bytes);
        // A pipe of 1 MiB has 256 slots, so that a call moves 256 such segments at least.
        assertThat(relay.calls).isLessThan(60);
        relay.close();
        closeAll(in, out);
    }

    @Test
    void anUrgentByteNeitherStallsNorEndsTheStream() throws IOException {
        int listener = loop.listen("127.0.0.1");
        Endpoint at = loop.local(listener);
        int[] out = loop.pair();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), at.port())) {
            client.setTcpNoDelay(true);
            int source = loop.accept(listener);
            Relay relay = new Relay(source, out[0]);
            OutputStream stream = client.getOutputStream();
            stream.write("before".getBytes(StandardCharsets.US_ASCII));
            client.sendUrgentData('!');
            stream.write("behind".getBytes(StandardCharsets.US_ASCII));
            byte[] got = new byte[12];
            int received = 0;
            while (received < got.length) {
                loop.awaitReady(source, LoopDriver.READABLE);
                relay.run();
                int more = driver.receive(out[1], got, received, got.length - received);
                received += Math.max(0, more);
            }

            assertThat(new String(got, StandardCharsets.US_ASCII)).isEqualTo("beforebehind");
            assertThat(relay.ended).isFalse();
            relay.close();
            driver.close(source);
        }
        driver.close(listener);
        closeAll(out);
    }

    @Test
    void aResetWhileThePipeHoldsBytesIsSeenOnBothSides() {
        int[] in = loop.pair();
        int[] out = loop.pair();
        loop.sendAll(in[0], random(4, 10_000));
        loop.awaitReady(in[1], LoopDriver.READABLE);
        int pipe = driver.takePipe();
        assertThat(driver.spliceIn(in[1], pipe, CHUNK_BYTES)).isEqualTo(10_000);
        driver.reset(in[0]);
        driver.reset(out[1]);
        loop.awaitReady(out[0], LoopDriver.HUNG_UP);
        int second = driver.takePipe();

        assertThat(driver.spliceIn(in[1], second, CHUNK_BYTES)).isEqualTo(-Errno.ECONNRESET);
        assertThat(driver.spliceOut(pipe, out[0], 10_000, false))
                .isIn((long) -Errno.EPIPE, (long) -Errno.ECONNRESET);
        driver.givePipe(second);
        driver.dropPipe(pipe);
        driver.close(in[1]);
        driver.close(out[0]);
    }

    @Test
    void aTargetThatDoesNotReadHoldsBytesInThePipe() {
        int[] in = loop.pair();
        int[] out = loop.pair();
        Relay relay = new Relay(in[1], out[0]);
        byte[] block = new byte[1 << 18];
        int idle = 0;
        long sent = 0;
        while (idle < 3) {
            int result = driver.send(in[0], block, 0, block.length, false);
            sent += Math.max(0, result);
            relay.run();
            idle = result > 0 ? 0 : idle + 1;
            loop.collect(1_000_000L);
        }
        int stalledAt = relay.calls;
        for (int i = 0; i < 10; i++) {
            loop.collect(1_000_000L);
        }

        assertThat(relay.held).isPositive();
        assertThat(relay.calls).isEqualTo(stalledAt);
        assertThat(relay.moved + relay.held).isLessThanOrEqualTo(sent);
        relay.close();
        closeAll(in, out);
    }

    @Test
    void emptyPipesAreUsedAgainAndFullOnesClosed() throws IOException {
        int first = driver.takePipe();
        driver.givePipe(first);
        assertThat(driver.takePipe()).isEqualTo(first);
        driver.givePipe(first);
        List<Integer> pipes = new ArrayList<>();
        long before = descriptors();
        for (int i = 0; i < 40; i++) {
            pipes.add(driver.takePipe());
        }

        assertThat(pipes).doesNotHaveDuplicates().allMatch(pipe -> pipe >= 0);
        assertThat(descriptors()).isEqualTo(before + 2 * 39);
        for (int pipe : pipes.subList(0, 20)) {
            driver.dropPipe(pipe);
        }
        for (int pipe : pipes.subList(20, 40)) {
            driver.givePipe(pipe);
        }
        assertThat(descriptors()).isLessThanOrEqualTo(before + 2 * 8);
    }

    @Test
    void whatCannotBeSplicedSaysSo() {
        int pipe = driver.takePipe();
        int datagrams =
                driver.bindDatagrams(
                        TestLoop.endpoint("127.0.0.1:0"), sluice.base.os.ListenOptions.DEFAULT);

        assertThat(driver.spliceIn(99_999, pipe, 10)).isEqualTo(-Errno.EBADF);
        driver.close(datagrams);
        driver.givePipe(pipe);
    }

    /// One direction, as an engine would run it.
    private final class Relay {
        private final int source;
        private final int target;
        private final int pipe;
        private long held;
        private long moved;
        private int calls;
        private boolean ended;

        Relay(int source, int target) {
            this.source = source;
            this.target = target;
            pipe = driver.takePipe();
            assertThat(pipe).as("pipe").isNotNegative();
        }

        /// Moves bytes until there is nothing to move, or no room.
        void run() {
            while (!ended) {
                if (held == 0) {
                    long got = driver.spliceIn(source, pipe, CHUNK_BYTES);
                    calls++;
                    if (got == -Errno.EAGAIN) {
                        return;
                    }
                    assertThat(got).as("splice in").isNotNegative();
                    ended = got == 0;
                    held = got;
                }
                if (held > 0) {
                    long gone = driver.spliceOut(pipe, target, held, false);
                    calls++;
                    if (gone == -Errno.EAGAIN) {
                        return;
                    }
                    assertThat(gone).as("splice out").isPositive();
                    held -= gone;
                    moved += gone;
                }
            }
        }

        void close() {
            if (held == 0) {
                driver.givePipe(pipe);
            } else {
                driver.dropPipe(pipe);
            }
        }
    }

    private void closeAll(int[]... pairs) {
        for (int[] pair : pairs) {
            driver.close(pair[0]);
            driver.close(pair[1]);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static byte[] random(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
