package sluice.lab.os;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.lab.os.TestLoop.endpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.LinuxSystem;
import sluice.testkit.Allocations;

/// The packet path of the Linux driver allocates nothing once it is warm.
@Timeout(120)
final class LinuxAllocationTest {

    private static final long COMPILE_NANOS_MAX = 20_000_000_000L;

    private static final long WAIT_NANOS = 10_000_000_000L;

    private TestLoop loop;
    private LoopDriver driver;
    private final byte[] bytes = new byte[100_000];
    private long total;

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
    void sendingReceivingAndWaiting() {
        int[] pair = loop.pair();

        assertNone(() -> {
            total += driver.send(pair[0], bytes, 700, 5_000, false);
            int ready = driver.await(WAIT_NANOS);
            for (int i = 0; i < ready; i++) {
                total += driver.token(i) + driver.readiness(i);
            }
            total += driver.receive(pair[1], bytes, 13, 50_000);
            total += driver.receive(pair[1], bytes, 0, 50_000);
        });

        assertThat(total).isPositive();
        driver.close(pair[0]);
        driver.close(pair[1]);
    }

    @Test
    void splicing() {
        int[] in = loop.pair();
        int[] out = loop.pair();

        assertNone(() -> {
            driver.send(in[0], bytes, 0, 5_000, false);
            int pipe = driver.takePipe();
            long got = driver.spliceIn(in[1], pipe, 1 << 20);
            total += driver.spliceOut(pipe, out[0], got, false);
            driver.givePipe(pipe);
            driver.receive(out[1], bytes, 0, bytes.length);
        });

        assertThat(total).isPositive();
    }

    @Test
    void datagramsOneByOne() {
        int server = driver.bindDatagrams(endpoint("127.0.0.1:0"), ListenOptions.DEFAULT);
        Endpoint at = loop.local(server);
        int client = driver.openDatagrams(at, at.address(), DialOptions.DEFAULT);
        loop.watch(server);
        loop.watch(client);

        assertNone(() -> roundTrip(server, client, 1));

        assertThat(total).isPositive();
        assertThat(driver.datagramsLost()).isZero();
    }

    @Test
    void datagramsInRuns() {
        int server = driver.bindDatagrams(endpoint("[::]:0"), ListenOptions.DEFAULT);
        Endpoint at = new Endpoint(IpAddress.LOOPBACK_V4, loop.local(server).port());
        int client = driver.openDatagrams(at, at.address(), DialOptions.DEFAULT);
        loop.watch(server);
        loop.watch(client);

        assertNone(() -> roundTrip(server, client, 40));

        assertThat(total).isPositive();
        assertThat(driver.datagramsLost()).isZero();
    }

    /// On a busy machine the optimising compiler may take longer than one warm-up.
    private static void assertNone(Runnable action) {
        long start = System.nanoTime();
        long bytes = Allocations.bytesPerRun(action);
        while (bytes > 0 && System.nanoTime() - start < COMPILE_NANOS_MAX) {
            bytes = Allocations.bytesPerRun(action);
        }
        assertThat(bytes).as("bytes allocated by one run").isZero();
    }

    private void roundTrip(int server, int client, int count) {
        for (int i = 0; i < count; i++) {
            driver.queueDatagram(client, null, null, bytes, 0, 1200);
        }
        driver.flushDatagrams();
        driver.await(WAIT_NANOS);
        int left = count;
        while (left > 0) {
            int got = driver.receiveDatagrams(server);
            for (int i = 0; i < got; i++) {
                driver.copyDatagram(i, bytes, 5);
                int length = driver.datagramLength(i);
                driver.queueDatagram(
                        server, driver.datagramPeer(i), driver.datagramLocal(i), bytes, 5, length);
            }
            left -= got;
        }
        driver.flushDatagrams();
        driver.await(WAIT_NANOS);
        left = count;
        while (left > 0) {
            left -= driver.receiveDatagrams(client);
        }
        total += count;
    }
}
