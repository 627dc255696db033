package sluice.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sluice.testkit.Eventually;

/// A client that sends the next requests before the answer to the first: they wait where they are,
/// and cost no more memory than any other flow that stands still.
final class HttpAheadTest {

    private static final long MEGABYTE = 1 << 20;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @ParameterizedTest
    @EnumSource(Driver.class)
    void whatComesAheadOfAnAnswerStaysInTheSocket(Driver driver) throws Exception {
        int clients = 60;
        try (Acceptor origin = new Acceptor();
                Rig rig = rig(driver).loops(1).buffers(4 * MEGABYTE).start()) {
            List<Socket> sockets = new ArrayList<>();
            String ahead =
                    request("PUT", origin, "Content-Length: 200000\r\n") + "x".repeat(200_000);
            for (int i = 0; i < clients; i++) {
                Socket client = rig.connect("http");
                sockets.add(client);
                client.setSendBufferSize(512 * 1024);
                send(client, request("GET", origin, ""));
                Socket server = origin.accept();
                sockets.add(server);
                assertThat(head(server)).startsWith("GET / ");
                Work.of(() -> {
                    send(client, ahead);
                    return true;
                });
            }
            Thread.sleep(200);
            assertThat(rig.engine().conversations()).isEqualTo(clients);
            assertThat(rig.engine().budget().peakBytes()).isLessThanOrEqualTo(4 * MEGABYTE);
            Socket client = sockets.getFirst();
            Socket server = sockets.get(1);
            send(server, OK);
            assertThat(head(client)).startsWith("HTTP/1.1 200 ").contains("keep-alive");
            client.getInputStream().skipNBytes(2);
            assertThat(head(server)).startsWith("PUT / ");
            server.getInputStream().skipNBytes(200_000);
            send(server, OK);
            assertThat(head(client)).startsWith("HTTP/1.1 200 ");
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    /// The portable driver finds an error by reading alone.
    @Test
    void aClientThatIsGoneIsNoticedThoughNobodyReads() throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig = rig(Driver.LINUX).start()) {
            Socket client = rig.connect("http");
            send(client, request("GET", origin, ""));
            try (Socket server = origin.accept()) {
                assertThat(head(server)).startsWith("GET / ");
                send(client, request("GET", origin, "").repeat(100));
                Thread.sleep(50);
                Tcp.reset(client);
                rig.awaitIdle();
                assertThat(Tcp.end(server)).isEqualTo(Tcp.End.RESET);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void allThatAClientSentBeforeItsEndIsAnswered(Driver driver) throws Exception {
        int requests = 50;
        try (Acceptor first = new Acceptor();
                Acceptor second = new Acceptor();
                Rig rig = rig(driver).start();
                Socket client = rig.connect("http")) {
            Work<Boolean> serving =
                    Work.of(() -> {
                        for (int i = 0; i < requests; i++) {
                            serve(first);
                            serve(second);
                        }
                        return true;
                    });
            String pair = request("GET", first, "") + request("GET", second, "");
            send(client, pair.repeat(requests));
            client.shutdownOutput();
            String answers =
                    new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(2 * requests + 1);
            assertThat(serving.result()).isTrue();
        }
    }

    /// The head of an answer that comes in pieces waits in a small buffer.
    @ParameterizedTest
    @EnumSource(Driver.class)
    void anAnswersHeadMayComeInPieces(Driver driver) throws Exception {
        try (Acceptor origin = new Acceptor();
                Rig rig = rig(driver).start()) {
            try (Socket client = rig.connect("http")) {
                send(client, request("GET", origin, ""));
                try (Socket server = origin.accept()) {
                    server.setTcpNoDelay(true);
                    head(server);
                    for (int i = 0; i < OK.length(); i++) {
                        send(server, OK.substring(i, i + 1));
                        Thread.sleep(1);
                    }
                    assertThat(head(client)).startsWith("HTTP/1.1 200 ");
                    client.getInputStream().skipNBytes(2);
                    send(client, request("GET", origin, ""));
                    head(server);
                    send(server, "HTTP/1.1 200");
                    Eventually.await(
                            Duration.ofSeconds(5),
                            () -> "a buffer to be held",
                            () -> rig.engine().buffersInUse() == 1);
                }
                assertThat(head(client)).startsWith("HTTP/1.1 502 ");
            }
        }
    }

    private static void serve(Acceptor origin) throws IOException {
        try (Socket server = origin.accept()) {
            head(server);
            send(server, OK);
            assertThat(server.getInputStream().read()).isNegative();
        }
    }

    private static Rig rig(Driver driver) {
        return Rig.on(driver)
                .inbound("http", Ways.inbound("http", Map.of()))
                .outbound(Ways.direct("direct"));
    }

    private static String request(String method, Acceptor origin, String fields) {
        return method + " http://127.0.0.1:" + origin.port() + "/ HTTP/1.1\r\n" + fields + "\r\n";
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended after " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
