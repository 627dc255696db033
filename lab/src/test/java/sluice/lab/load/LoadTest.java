package sluice.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ClosedSelectorException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Each program against its counterpart, and against servers that lose, add or hold back bytes.
final class LoadTest {
    private static final int NOBODY = 1;

    private EchoServer echo;
    private Sink sink;

    @FunctionalInterface
    private interface Runs {
        void run() throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        echo = new EchoServer(0);
        sink = new Sink(0);
        spawn(echo::run);
        spawn(sink::run);
    }

    @AfterEach
    void stop() {
        echo.close();
        sink.close();
    }

    // --- Sink and Pour ---

    @Test
    void theSinkAcknowledgesAllOfEveryConnection() throws Exception {
        Map<String, @Nullable Object> result = new Pour(sink.port(), 3).run(1_000_003, 200_001);
        assertThat(result)
                .containsEntry("bytes", 3_000_009L)
                .containsEntry("connections", 3)
                .containsEntry("failures", List.of());
        assertThat(Sink.total(sink.port())).isEqualTo(3 * (1_000_003L + 200_001));
    }

    @Test
    void aWrongTotalIsAFailure() throws Exception {
        try (Scripted loses =
                new Scripted((_, in, out) -> {
                    greet(in, out);
                    DataInputStream data = new DataInputStream(in);
                    long length = data.readLong();
                    data.skipNBytes(length);
                    new DataOutputStream(out).writeLong(length - 1);
                })) {
            Map<String, @Nullable Object> result = new Pour(loses.port(), 1).run(300_000, 0);
            assertThat(result)
                    .containsEntry("bytes", 0L)
                    .containsEntry(
                            "failures", List.of("connection 1: 299999 of 300000 bytes arrived"));
        }
    }

    @Test
    void aConnectionThatDiesBeforeItsAcknowledgementIsAFailure() throws Exception {
        try (Scripted dies =
                new Scripted((_, in, out) -> {
                    greet(in, out);
                    in.skipNBytes(Long.BYTES + 1_000);
                })) {
            assertThat(new Pour(dies.port(), 1).run(1_000, 0))
                    .containsEntry(
                            "failures",
                            List.of(
                                    "connection 1: ended before its 1000 bytes were"
                                            + " acknowledged"));
        }
    }

    @Test
    void aConnectionThatBreaksSaysHowFarItCame() throws Exception {
        try (Scripted breaks =
                new Scripted((_, in, out) -> {
                    greet(in, out);
                    in.skipNBytes(1_000);
                })) {
            assertThat(new Pour(breaks.port(), 1).run(1L << 40, 0).get("failures"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .singleElement()
                    .asString()
                    .matches("connection 1: after [0-9]+ bytes were sent: .+");
        }
    }

    @Test
    void theFirstPayloadIsAGreetingOfEightBytes() throws Exception {
        try (Scripted closes =
                new Scripted((_, in, _) -> assertThat(in.readNBytes(Long.BYTES)).hasSize(8))) {
            assertThat(new Pour(closes.port(), 1).run(1_000, 0))
                    .containsEntry(
                            "failures",
                            List.of("connection 1: ended before the sink said how much it got"));
        }
    }

    @Test
    void aSenderThatStopsDoesNotStopTheSink() throws Exception {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), sink.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeLong(1_000);
            out.write(new byte[10]);
        }
        assertThat(new Pour(sink.port(), 1).run(5_000, 0)).containsEntry("bytes", 5_000L);
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        assertThatThrownBy(() -> new Sink(echo.port()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("port " + echo.port() + ": ");
    }

    // --- EchoServer with everyone who asks it ---

    @Test
    void thePumpGetsAllOfItBack() throws Exception {
        assertThat(EchoPump.run(echo.port(), 50_000_001))
                .containsEntry("bytes", 50_000_001L)
                .containsEntry("failure", "");
    }

    @Test
    void thePumpSeesAByteThatIsMissing() throws Exception {
        try (Scripted loses =
                new Scripted((_, in, out) -> {
                    in.skipNBytes(1);
                    in.transferTo(out);
                })) {
            assertThat(EchoPump.run(loses.port(), 1_000_000).get("failure"))
                    .asString()
                    .contains("of 1000000 bytes: other bytes came back");
        }
    }

    @Test
    void thePumpSaysHowFarItCame() throws Exception {
        try (Scripted closes =
                new Scripted((_, in, out) -> {
                    out.write(in.readNBytes(700_000));
                    out.flush();
                })) {
            assertThat(EchoPump.run(closes.port(), 1L << 40).get("failure"))
                    .asString()
                    .matches("(after [0-9]+ of [0-9]+ bytes|sending failed): .+");
        }
        assertThat(EchoPump.run(NOBODY, 1)).containsEntry("failure", "Connection refused");
    }

    @Test
    void thePingerCountsRoundTrips() {
        Map<String, @Nullable Object> result = Pinger.run(echo.port(), 1_000, 5);
        assertThat(result).containsEntry("count", 900).containsEntry("failure", "");
        assertThat(number(result, "p50")).isPositive();
        assertThat(number(result, "p99.9")).isGreaterThanOrEqualTo(number(result, "p99"));
    }

    @Test
    void thePingerSaysWhichRoundTripFailed() throws Exception {
        try (Scripted closes =
                new Scripted((_, in, out) -> {
                    out.write(in.readNBytes(64));
                    out.write(in.readNBytes(64));
                })) {
            assertThat(Pinger.run(closes.port(), 100, 5).get("failure"))
                    .asString()
                    .startsWith("round trip 3: ");
        }
        assertThat(Pinger.run(echo.port(), 100, 0)).containsEntry("failure", "no round trip");
    }

    @Test
    void theKnockerCountsConnections() throws Exception {
        Map<String, @Nullable Object> result = Knocker.run(echo.port(), 2, 0.2);
        assertThat(number(result, "count")).isGreaterThan(2);
        assertThat(result).containsEntry("failed", 0);
    }

    @Test
    void theKnockerCountsFailuresByReason() throws Exception {
        try (Scripted everySecond =
                new Scripted((number, in, out) -> {
                    int one = in.read();
                    if (number % 2 == 1) {
                        out.write(one);
                    }
                })) {
            Map<String, @Nullable Object> result = Knocker.run(everySecond.port(), 1, 0.3);
            assertThat(number(result, "count")).isPositive();
            assertThat(result.get("reasons"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("it was closed", result.get("failed"));
        }
    }

    @Test
    void theHolderHoldsAndAsksAgain() {
        try (Holder holder = new Holder(echo.port())) {
            assertThat(holder.open(200, 100_000))
                    .containsEntry("opened", 200)
                    .containsEntry("failed", 0);
            assertThat(holder.open(50, 64)).containsEntry("opened", 50);
            assertThat(holder.check())
                    .containsEntry("answered", 250)
                    .containsEntry("failed", 0)
                    .containsEntry("unasked", 0);
        }
    }

    @Test
    void theHolderSaysWhyConnectionsFail() throws Exception {
        try (Scripted threeOnly =
                        new Scripted((number, in, out) -> {
                            if (number <= 3) {
                                out.write(in.readNBytes(64));
                            }
                        });
                Holder holder = new Holder(threeOnly.port())) {
            Map<String, @Nullable Object> opened = holder.open(100, 64);
            assertThat(opened).containsEntry("opened", 3);
            // Those that were under way when it lost patience count too.
            assertThat(number(opened, "failed"))
                    .isBetween((double) Holder.PATIENCE, 2.0 * Holder.PATIENCE);
            assertThat(opened.get("reasons"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .isNotEmpty();
            assertThat(holder.check()).containsEntry("answered", 0).containsEntry("failed", 3);
        }
    }

    /// Answers what a sender asks first.
    private static void greet(InputStream in, OutputStream out) throws IOException {
        in.skipNBytes(Long.BYTES);
        out.write(new byte[Long.BYTES]);
    }

    private static double number(Map<String, @Nullable Object> result, String key) {
        return result.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static void spawn(Runs server) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        server.run();
                    } catch (ClosedSelectorException _) {
                        // The test is over.
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                });
    }
}
