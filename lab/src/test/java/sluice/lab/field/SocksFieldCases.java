package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.run.Bytes;
import sluice.lab.run.Config;
import sluice.lab.run.Datagrams;
import sluice.lab.run.Dial;
import sluice.lab.run.Link;
import sluice.lab.run.Origin;
import sluice.lab.run.Proc;
import sluice.lab.run.SluiceProcess;
import sluice.lab.run.UdpOrigin;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// SOCKS clients as they are.
final class SocksFieldCases {
    private static final int SOCKS = Ports.both();
    private static final int GUARDED = Ports.both();
    private static final int TO_FAKE = Ports.both();
    private static final String LONG = "x".repeat(255);

    private static Origin echo;
    private static UdpOrigin udp;
    private static SluiceProcess sluice;
    private static Origin fake;
    private static final CompletableFuture<String> ASKED = new CompletableFuture<>();

    @BeforeAll
    static void start() {
        echo = Origin.echo();
        udp = UdpOrigin.echo();
        fake =
                Origin.of((_, in, out) -> {
                    in.readNBytes(3);
                    out.write(new byte[] {5, 0});
                    ASKED.complete(HexFormat.of().formatHex(in.readNBytes(10)));
                });
        sluice =
                SluiceProcess.start(
                        new Config()
                                .inbound("socks", "socks", SOCKS, "'handshake_timeout': '1s'")
                                .inbound(
                                        "socks",
                                        "guarded",
                                        GUARDED,
                                        "'users': [{'username': '%s', 'password': '%s'}]"
                                                .formatted(LONG, LONG))
                                .forward("to-fake", TO_FAKE, udp.port())
                                .outbound("direct", "direct", "")
                                .outbound("socks", "fake", fake.port(), "")
                                .route("to-fake", "fake"));
    }

    @AfterAll
    static void stop() {
        sluice.close();
        echo.close();
        udp.close();
        fake.close();
    }

    @AfterEach
    void staysHealthy() {
        sluice.assertHealthy();
    }

    @Test
    void i01GreetingInPieces() throws InterruptedException {
        try (Link link = Link.to(SOCKS)) {
            trickle(link, "050100");
            assertThat(link.readHex(2)).isEqualTo("0500");
            trickle(link, "050100017f000001" + "%04x".formatted(echo.port()));
            assertThat(link.readHex(4)).isEqualTo("05000001");
            link.read(6);
            link.send("hello");
            assertThat(new String(link.read(5))).isEqualTo("hello");
        }
    }

    @Test
    void i01TwoHundredAndFiftyFiveMethods() {
        ByteArrayOutputStream greeting = new ByteArrayOutputStream();
        greeting.write(5);
        greeting.write(255);
        for (int method = 254; method >= 0; method--) {
            greeting.write(method);
        }
        try (Link link = Link.to(SOCKS).send(greeting.toByteArray())) {
            assertThat(link.readHex(2)).isEqualTo("0500");
        }
    }

    @Test
    void i01ANameOfTheGreatestLengthIsAnswered() {
        try (Link link = Link.to(SOCKS)) {
            link.sendHex("050100");
            link.readHex(2);
            link.sendHex("05010003ff").send(LONG).sendHex("0050");
            byte[] reply = link.read(10);
            assertThat(reply[0]).isEqualTo((byte) 5);
            assertThat(reply[1]).as("no such name").isIn((byte) 1, (byte) 4);
        }
    }

    @Test
    void i01TheLongestLogin() {
        try (Link link = Link.to(GUARDED)) {
            Dial.socks5(link, "127.0.0.1", echo.port(), LONG, LONG);
            link.send("hello");
            assertThat(new String(link.read(5))).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "05", "050100", "05010005", "050100050100030a"})
    void i01WhoStopsInTheMiddleIsClosedInTime(String begun) {
        try (Link link = Link.to(SOCKS).sendHex(begun)) {
            Link.Ending ending = link.readEnding(8_000);
            assertThat(ending.end()).isNotEqualTo(Link.End.OPEN);
            assertThat(ending.millis()).isBetween(800L, 4_000L);
        }
    }

    @Test
    void i01PayloadBehindTheRequestIsNotLost() {
        try (Link link = Link.to(SOCKS)) {
            link.sendHex("050100" + "050100017f000001" + "%04x".formatted(echo.port()))
                    .send("early");
            assertThat(link.readHex(2)).isEqualTo("0500");
            assertThat(link.readHex(2)).isEqualTo("0500");
            link.read(8);
            assertThat(new String(link.read(5))).isEqualTo("early");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01 00000000 0000",
                "04 00000000000000000000000000000000 0000",
                "01 7f000001 270f",
                "01 7f000001 0001",
                "03 09 6c6f63616c686f7374 0000"
            })
    void i03AnyAnnouncedAddressIsAccepted(String announced) {
        try (Datagrams socks = Datagrams.through(Link.to(SOCKS), announced, null, "")) {
            assertThat(socks.relay().getAddress().getHostAddress()).isEqualTo("127.0.0.1");
            assertThat(socks.echoes(udp.port(), 1)).isTrue();
            assertThat(socks.echoes(udp.port(), 1_400)).isTrue();
        }
    }

    @Test
    void i03AStrangerIsNotServed() throws IOException {
        try (Datagrams socks = Datagrams.through(SOCKS);
                DatagramSocket otherPort = Datagrams.open();
                DatagramSocket otherHost =
                        new DatagramSocket(0, InetAddress.getByName("127.0.0.7"))) {
            assertThat(socks.echoes(udp.port(), 10)).isTrue();
            int before = udp.seen().size();
            socks.sendFrom(otherPort, udp.port(), Bytes.of(11, 1));
            socks.sendFrom(otherHost, udp.port(), Bytes.of(12, 1));
            assertThat(socks.receive(500)).isNull();
            assertThat(udp.seen()).hasSize(before);
            assertThat(socks.echoes(udp.port(), 13)).isTrue();
        }
    }

    @Test
    void i03GarbageDoesNotTakeTheAssociation() {
        try (Datagrams socks = Datagrams.through(SOCKS);
                DatagramSocket other = Datagrams.open()) {
            socks.sendRaw(other, new byte[0]);
            socks.sendRaw(other, new byte[] {0, 0, 0, 9, 1, 2, 3});
            socks.sendRaw(other, new byte[] {0, 0, 1, 1, 127, 0, 0, 1, 0, 53, 1});
            assertThat(socks.echoes(udp.port(), 10)).isTrue();
        }
    }

    @Test
    void i03TheAssociationEndsWithItsControlConnection() {
        Datagrams socks = Datagrams.through(SOCKS);
        assertThat(socks.echoes(udp.port(), 10)).isTrue();
        int relay = socks.relay().getPort();
        assertThat(Proc.isBound(relay)).isTrue();
        socks.control().close();
        Eventually.await(Duration.ofSeconds(2), () -> !Proc.isBound(relay));
        socks.close();
    }

    @Test
    void i03OurClientAnnouncesZeros() throws Exception {
        try (DatagramSocket socket = Datagrams.open()) {
            socket.send(
                    new DatagramPacket(
                            new byte[] {1}, 1, InetAddress.getLoopbackAddress(), TO_FAKE));
            assertThat(ASKED.get(5, TimeUnit.SECONDS)).isEqualTo("05030001" + "000000000000");
        }
    }

    @Test
    void i14WhoOpensTheSocksPortWithSomethingElseIsClosed() {
        for (String hex :
                List.of("474554202f20485454502f312e310d0a0d0a", "16030100", "00".repeat(100))) {
            try (Link link = Link.to(SOCKS).sendHex(hex)) {
                assertThat(link.readEnding(5_000).end()).as(hex).isNotEqualTo(Link.End.OPEN);
            }
        }
    }

    private static void trickle(Link link, String hex) throws InterruptedException {
        for (int i = 0; i < hex.length(); i += 2) {
            link.sendHex(hex.substring(i, i + 2));
            Thread.sleep(20);
        }
    }
}
