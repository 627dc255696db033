package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.http.HttpBench.answer;
import static sluice.protocol.http.HttpBench.head;
import static sluice.protocol.http.HttpBench.receive;
import static sluice.protocol.http.HttpBench.sent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.protocol.MachineSide;

/// Plain requests and their answers, one at a time: what each side sees of the other.
final class HttpServerMessageTest {

    private static final String GET = head("GET http://e/ HTTP/1.1");
    private static final String OK = head("HTTP/1.1 200 OK", "Content-Length: 2") + "ok";
    private static final String KEPT =
            head(
                            "HTTP/1.1 200 OK",
                            "Content-Length: 2",
                            "Connection: keep-alive",
                            "Proxy-Connection: keep-alive")
                    + "ok";

    private final HttpBench bench = new HttpBench();

    @AfterEach
    void allBuffersCameBack() {
        bench.assertAllBuffersCameBack();
    }

    // What the origin sees

    @ParameterizedTest
    @CsvSource({
        "http://example.com/a?b#c,/a?b,example.com,example.com:80",
        "http://example.com,/,example.com,example.com:80",
        "HTTP://example.com:80/,/,example.com,example.com:80",
        "http://example.com:/x,/x,example.com:,example.com:80",
        "http://example.com:8080?q,/?q,example.com:8080,example.com:8080",
        "http://u:p@example.com/,/,example.com,example.com:80",
        "http://u@v@example.com:81/@,/@,example.com:81,example.com:81",
        "http://[::1]:8080/,/,[::1]:8080,[::1]:8080",
        "http://[::1]:80/,/,[::1],[::1]:80",
        "http://e#f,/,e,e:80"
    })
    void rewritesTheTarget(String target, String path, String host, String destination) {
        MachineSide side = bench.server();
        receive(side, head("GET " + target + " HTTP/1.1", "Host: other", "A: b"));
        assertThat(side.opened().toString()).isEqualTo(destination);
        String withoutEmptyPort = host.endsWith(":") ? host.substring(0, host.length() - 1) : host;
        assertThat(side.deliveredText())
                .isEqualTo(head("GET " + path + " HTTP/1.1", "Host: " + withoutEmptyPort, "A: b"));
    }

    @Test
    void asksForOptionsOfTheWholeServer() {
        MachineSide side = bench.server();
        receive(side, head("OPTIONS http://e HTTP/1.1"));
        assertThat(side.deliveredText()).isEqualTo(head("OPTIONS * HTTP/1.1", "Host: e"));
    }

    @Test
    void removesWhatConcernsTheClientsConnection() {
        MachineSide side = bench.server();
        receive(
                side,
                head(
                        "GET http://example.com/a?b#c HTTP/1.1",
                        "Host: other",
                        "Proxy-Connection: keep-alive",
                        "Connection: x-foo, Y-Bar",
                        "X-Foo: 1",
                        "y-bar: 2",
                        "TE: trailers",
                        "Trailer: X",
                        "Keep-Alive: timeout=4",
                        "Upgrade: websocket",
                        "Proxy-Authorization: Basic dXNlcjpwYXNz",
                        "Proxy-Authenticate: x",
                        "X-Forwarded-For: 1.2.3.4",
                        "accept:  text/html\t"));
        assertThat(side.deliveredText())
                .isEqualTo(
                        head(
                                "GET /a?b HTTP/1.1",
                                "Host: example.com",
                                "X-Forwarded-For: 1.2.3.4",
                                "accept: text/html"));
    }

    @Test
    void neverLetsConnectionDeleteFramingOrHost() {
        MachineSide side = bench.server();
        receive(
                side,
                head(
                                "POST http://e/ HTTP/1.1",
                                "Connection: content-length, host, transfer-encoding",
                                "Content-Length: 5",
                                "Content-Length: 5")
                        + "hello");
        assertThat(side.deliveredText())
                .isEqualTo(head("POST / HTTP/1.1", "Host: e", "Content-Length: 5") + "hello");
    }

    @Test
    void speaksTheClientsVersionToTheOrigin() {
        MachineSide closing = bench.server();
        receive(closing, head("GET http://e/ HTTP/1.0"));
        assertThat(closing.deliveredText())
                .isEqualTo(head("GET / HTTP/1.0", "Host: e", "Connection: close"));
        MachineSide keeping = bench.server();
        receive(keeping, head("GET http://e/ HTTP/1.0", "Connection: Keep-Alive"));
        assertThat(keeping.deliveredText())
                .isEqualTo(head("GET / HTTP/1.0", "Host: e", "Connection: keep-alive"));
    }

    // What the client sees

    @Test
    void removesWhatConcernsTheOriginsConnection() {
        MachineSide side = bench.exchanging(GET);
        answer(
                side,
                head(
                                "HTTP/1.1 200 OK",
                                "Connection: close, X-Hop",
                                "X-Hop: 1",
                                "Keep-Alive: timeout=5",
                                "Proxy-Authenticate: Basic",
                                "Trailer: T",
                                "Upgrade: h2c",
                                "Set-Cookie: a",
                                "Set-Cookie: b",
                                "Content-Length: 2")
                        + "ok");
        assertThat(sent(side))
                .isEqualTo(
                        head(
                                        "HTTP/1.1 200 OK",
                                        "Set-Cookie: a",
                                        "Set-Cookie: b",
                                        "Content-Length: 2",
                                        "Connection: keep-alive",
                                        "Proxy-Connection: keep-alive")
                                + "ok");
    }

    @ParameterizedTest
    @CsvSource({
        "1.1,,keep-alive",
        "1.1,Connection: close,close",
        "1.1,Proxy-Connection: CLOSE,close",
        "1.1,Connection: keep-alive,keep-alive",
        "1.1,'Connection: a, Close',close",
        "1.0,,close",
        "1.0,Connection: keep-alive,keep-alive",
        "1.0,Proxy-Connection: Keep-Alive,keep-alive",
        "1.0,Connection: close,close"
    })
    void keepsTheConnectionAsTheTableSays(String version, String field, String answer) {
        MachineSide side = bench.server();
        String line = "GET http://e/ HTTP/" + version;
        receive(side, field == null ? head(line) : head(line, field));
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK);
        assertThat(sent(side))
                .startsWith("HTTP/" + version + " 200 OK\r\n")
                .contains("\r\nConnection: " + answer + "\r\nProxy-Connection: " + answer + "\r\n");
        assertThat(side.isClosed()).isEqualTo(answer.equals("close"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content",
                "HTTP/1.1 304 Not Modified",
                "HTTP/1.1 204 No Content\r\nContent-Length: 7",
                "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked",
                "HTTP/1.1 200 OK\r\nContent-Length: 0"
            })
    void knowsAnswersWithoutABody(String head) {
        MachineSide side = bench.exchanging(GET);
        answer(side, head + "\r\n\r\n");
        assertThat(sent(side)).contains("Connection: keep-alive");
        receive(side, GET);
        assertThat(side.detaches()).isZero();
        assertThat(side.opens()).isEqualTo(1);
    }

    @Test
    void anAnswerToHeadHasNoBodyWhateverItSays() {
        MachineSide side = bench.exchanging(head("HEAD http://e/ HTTP/1.1"));
        answer(side, head("HTTP/1.1 200 OK", "Content-Length: 1000"));
        assertThat(sent(side)).contains("Content-Length: 1000", "Connection: keep-alive");
        receive(side, GET);
        assertThat(side.deliveredText()).endsWith(head("GET / HTTP/1.1", "Host: e"));
    }

    @Test
    void passesChunksAndTrailers() {
        String chunks = "5;ext=\"1\"\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n";
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + chunks);
        assertThat(sent(side)).contains("Transfer-Encoding: chunked\r\n").endsWith(chunks);
        assertThat(side.isOver()).isFalse();
        receive(side, GET);
        assertThat(side.opens()).isEqualTo(1);
    }

    @Test
    void anAnswerWithoutALengthEndsTheConnection() {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK") + "some");
        answer(side, " more");
        assertThat(sent(side)).contains("\r\nConnection: close\r\n").endsWith("some more");
        assertThat(side.isOver()).isFalse();
        side.payloadEnd(0);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void aCodingThatIsNotChunkedEndsWithTheStream() {
        MachineSide side = bench.exchanging(GET);
        answer(
                side,
                head("HTTP/1.1 200 OK", "Transfer-Encoding: gzip", "Content-Length: 2") + "ok..");
        assertThat(sent(side)).doesNotContain("Content-Length").endsWith("ok..");
        assertThat(side.isOver()).isFalse();
    }

    @Test
    void chunksOverrideALengthWhichDoesNotGoOn() {
        MachineSide side = bench.exchanging(GET);
        answer(
                side,
                head("HTTP/1.1 200 OK", "Content-Length: 2", "Transfer-Encoding: chunked")
                        + "2\r\nok\r\n0\r\n\r\n");
        assertThat(sent(side)).doesNotContain("Content-Length").endsWith("2\r\nok\r\n0\r\n\r\n");
    }

    @Test
    void mendsWhatOriginsGetWrong() {
        MachineSide side = bench.exchanging(GET);
        answer(
                side,
                "HTTP/1.1 200\nX-Blank : 1\nX-Fold: a\n  b\r\nContent-Length: 2\r\nContent-Length: 2\n\nok");
        assertThat(sent(side))
                .isEqualTo(
                        head(
                                        "HTTP/1.1 200 ",
                                        "X-Blank: 1",
                                        "X-Fold: a   b",
                                        "Content-Length: 2",
                                        "Connection: keep-alive",
                                        "Proxy-Connection: keep-alive")
                                + "ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
            })
    void answers502ToWhatIsNoAnswer(String garbage) {
        MachineSide side = bench.exchanging(GET);
        answer(side, garbage);
        assertThat(sent(side))
                .isEqualTo(
                        head("HTTP/1.1 502 Bad Gateway", "Content-Length: 0", "Connection: close"));
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void answers502ToAnEndlessHead() {
        MachineSide side = bench.exchanging(GET);
        answer(side, "HTTP/1.1 200 OK\r\nX: ");
        for (int i = 0; i < 5 && !side.isOver(); i++) {
            answer(side, "a".repeat(30_000));
        }
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
    }

    // Bodies of requests

    @Test
    void streamsABodyOfAKnownLength() {
        MachineSide side =
                bench.exchanging(head("POST http://e/ HTTP/1.1", "Content-Length: 10") + "01234");
        receive(side, "56");
        receive(side, "789" + GET);
        assertThat(side.deliveredText())
                .isEqualTo(head("POST / HTTP/1.1", "Host: e", "Content-Length: 10") + "0123456789");
        answer(side, OK);
        assertThat(side.deliveredText()).endsWith("9" + head("GET / HTTP/1.1", "Host: e"));
    }

    @Test
    void sendsAHeadAndASmallBodyInOnePiece() {
        MachineSide side =
                bench.exchanging(head("POST http://e/ HTTP/1.1", "Content-Length: 5") + "hello");
        assertThat(side.deliveries()).hasSize(1);
        answer(side, OK);
        assertThat(side.sends()).hasSize(1);
        assertThat(sent(side)).isEqualTo(KEPT);
    }

    @Test
    void streamsChunksAndTrailers() {
        String chunks = "3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n";
        MachineSide side =
                bench.exchanging(
                        head("PUT http://e/ HTTP/1.1", "Transfer-Encoding: chunked") + chunks);
        assertThat(side.deliveredText())
                .isEqualTo(
                        head("PUT / HTTP/1.1", "Host: e", "Transfer-Encoding: chunked") + chunks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n",
                "\r\n",
                "5\nhello\r\n",
                "5;a\nb\r\nhello\r\n",
                "5\r\nhelloX\n",
                "5\r\nhello\n",
                "-5\r\n",
                "1000000000000000\r\n",
                "0\r\n bad\r\n\r\n",
                "0\r\nA: b\n\r\n",
                "0\r\n\n"
            })
    void refusesChunksThatTwoParsersCouldReadInTwoWays(String chunks) {
        MachineSide side = bench.server();
        receive(side, head("PUT http://e/ HTTP/1.1", "Transfer-Encoding: chunked") + chunks);
        assertThat(sent(side)).startsWith("HTTP/1.1 400 ");
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.MALFORMED);
        assertThat(side.deliveredText()).doesNotContain("hello");
    }

    @Test
    void aBodyThatBreaksUnderTheAnswerResets() {
        MachineSide side =
                bench.exchanging(head("PUT http://e/ HTTP/1.1", "Transfer-Encoding: chunked"));
        answer(side, head("HTTP/1.1 200 OK", "Content-Length: 5"));
        receive(side, "zzz");
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }
}
