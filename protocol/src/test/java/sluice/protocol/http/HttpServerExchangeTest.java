package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.http.HttpBench.answer;
import static sluice.protocol.http.HttpBench.bytes;
import static sluice.protocol.http.HttpBench.head;
import static sluice.protocol.http.HttpBench.options;
import static sluice.protocol.http.HttpBench.receive;
import static sluice.protocol.http.HttpBench.sent;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.fault.PeerFault;
import sluice.base.machine.Farewell;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.MachineSide;
import sluice.protocol.access.Users;
import sluice.testkit.Seeds;

/// Plain requests one after the other, and what may break in their midst.
final class HttpServerExchangeTest {

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

    // The next request

    @Test
    void reusesTheConnectionToTheSameHost() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        assertThat(sent(side)).isEqualTo(KEPT);
        receive(side, head("POST http://e/2 HTTP/1.1", "Content-Length: 0"));
        answer(side, OK);
        assertThat(sent(side)).isEqualTo(KEPT);
        assertThat(side.opens()).isEqualTo(1);
        assertThat(side.detaches()).isZero();
    }

    /// I07: each request is routed by its own host.
    @Test
    void i07OpensAnotherConnectionForAnotherHost() {
        MachineSide side = bench.exchanging(head("GET http://a:8091/ HTTP/1.1"));
        answer(side, OK);
        receive(side, head("GET http://b:8092/ HTTP/1.1"));
        assertThat(side.detaches()).isEqualTo(1);
        assertThat(side.opened()).isEqualTo(destination("b", 8092));
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK);
        receive(side, head("GET http://a:8091/ HTTP/1.1"));
        assertThat(side.opened()).isEqualTo(destination("a", 8091));
        assertThat(side.opens()).isEqualTo(3);
    }

    /// I07: an idle connection that the origin closed is dialled again.
    @Test
    void i07DialsAClosedIdleConnectionAgain() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        side.payloadEnd(0);
        assertThat(side.detaches()).isEqualTo(1);
        assertThat(side.isOver()).isFalse();
        receive(side, GET);
        assertThat(side.opens()).isEqualTo(2);
        side.opened(OpenOutcome.OK, 0);
        sent(side);
        answer(side, OK);
        assertThat(sent(side)).isEqualTo(KEPT);
    }

    /// I07: the origin closed while the request was on its way: a safe one is sent again, once.
    @Test
    void i07SendsASafeRequestAgain() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        sent(side);
        receive(side, GET);
        side.payloadEnd(0);
        assertThat(side.opens()).isEqualTo(2);
        assertThat(sent(side)).isEmpty();
        assertThat(side.deliveredText()).isEqualTo(head("GET / HTTP/1.1", "Host: e").repeat(3));
        side.opened(OpenOutcome.OK, 0);
        side.payloadEnd(0);
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        assertThat(side.opens()).isEqualTo(2);
    }

    @Test
    void i07DoesNotSendAnotherRequestAgain() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        sent(side);
        receive(side, head("POST http://e/ HTTP/1.1", "Content-Length: 0"));
        side.payloadEnd(0);
        assertThat(side.opens()).isEqualTo(1);
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void leavesAnOriginThatDoesNotKeepItsConnection() {
        for (String answer :
                List.of(
                        head("HTTP/1.1 200 OK", "Connection: close", "Content-Length: 2") + "ok",
                        head("HTTP/1.0 200 OK", "Content-Length: 2") + "ok",
                        OK + "and more")) {
            MachineSide side = bench.exchanging(GET);
            answer(side, answer);
            assertThat(sent(side)).isEqualTo(KEPT);
            assertThat(side.detaches()).isEqualTo(1);
            receive(side, GET);
            assertThat(side.opens()).isEqualTo(2);
        }
    }

    @Test
    void anAnswerThatNobodyAskedForIsNotTheNextOne() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        answer(side, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        assertThat(side.detaches()).isEqualTo(1);
        assertThat(sent(side)).isEqualTo(KEPT);
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        MachineSide side = bench.server();
        receive(
                side,
                head("GET http://a/1 HTTP/1.1")
                        + head("GET http://a/2 HTTP/1.1")
                        + head("GET http://b/3 HTTP/1.1"));
        receive(side, head("GET http://b/4 HTTP/1.1").substring(0, 10));
        side.receiveEnd(0);
        assertThat(side.deliveredText()).contains("/1").doesNotContain("/2");
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK);
        assertThat(side.deliveredText()).contains("/2").doesNotContain("/3");
        answer(side, OK);
        assertThat(side.opened()).isEqualTo(destination("b", 80));
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK);
        assertThat(side.deliveredText()).contains("/3").doesNotContain("/4");
        assertThat(sent(side)).isEqualTo(KEPT.repeat(3));
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
    }

    @Test
    void readsNothingAheadOfAnAnswer() {
        MachineSide side = bench.exchanging(GET);
        assertThat(side.isStopped()).isFalse();
        receive(side, head("GET http://e/2 HTTP/1.1", "A: b").substring(0, 30));
        assertThat(side.isStopped()).isTrue();
        assertThat(side.deliveredText()).doesNotContain("/2");
        answer(side, OK);
        assertThat(side.isStopped()).isFalse();
        receive(side, head("GET http://e/2 HTTP/1.1", "A: b").substring(30));
        assertThat(side.deliveredText()).endsWith(head("GET /2 HTTP/1.1", "Host: e", "A: b"));
        assertThat(side.isStopped()).isFalse();
    }

    @Test
    void readsOnWhileARequestsBodyComes() {
        MachineSide side = bench.exchanging(head("PUT http://e/ HTTP/1.1", "Content-Length: 9"));
        receive(side, "12345678");
        assertThat(side.isStopped()).isFalse();
        receive(side, "9" + GET);
        assertThat(side.isStopped()).isTrue();
        assertThat(side.deliveredText()).endsWith("123456789");
    }

    /// The end of a client that sent requests ahead comes behind them.
    @Test
    void passesOnAPipelinedUploadThatEndsEarly() {
        MachineSide side =
                bench.exchanging(
                        GET + head("PUT http://e/2 HTTP/1.1", "Content-Length: 10") + "123");
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isFalse();
        answer(side, OK);
        assertThat(side.deliveredText()).endsWith("123");
        assertThat(side.deliveredEnd()).isTrue();
        answer(side, head("HTTP/1.1 400 Bad Request", "Content-Length: 0"));
        assertThat(sent(side)).contains("HTTP/1.1 400 Bad Request\r\n");
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void keepsNoLongRequestForAnotherTry() {
        String large = head("GET http://e/2 HTTP/1.1", "A: " + "a".repeat(9_000));
        MachineSide side = bench.exchanging(GET);
        answer(side, OK);
        sent(side);
        receive(side, large);
        side.payloadEnd(0);
        assertThat(side.opens()).isEqualTo(1);
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
    }

    @Test
    void skipsTheEmptyLineOfOldClients() {
        MachineSide side =
                bench.exchanging(head("POST http://e/ HTTP/1.1", "Content-Length: 1") + "x\r\n");
        answer(side, OK);
        receive(side, GET);
        assertThat(side.deliveredText()).endsWith(head("GET / HTTP/1.1", "Host: e"));
    }

    @Test
    void tunnelsAfterPlainRequests() {
        MachineSide side = bench.exchanging(GET);
        receive(side, head("CONNECT e:443 HTTP/1.1") + "tls");
        answer(side, OK);
        assertThat(side.detaches()).isEqualTo(1);
        assertThat(side.opened()).isEqualTo(destination("e", 443));
        assertThat(side.deliveredText()).endsWith("tls");
        side.opened(OpenOutcome.OK, 0);
        assertThat(sent(side)).endsWith("200 Connection established\r\n\r\n");
        assertThat(side.isTransparent()).isTrue();
    }

    // Time

    @Test
    void closesAfterAMinuteWithoutARequest() {
        MachineSide side = bench.exchanging(GET);
        assertThat(side.deadlineNanos()).isEqualTo(Long.MAX_VALUE);
        side.payload(bytes(OK), 1000);
        assertThat(side.deadlineNanos()).isEqualTo(1000 + 60_000_000_000L);
        side.tick(1000 + 60_000_000_000L);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void aFurtherHeadHasOneDeadlineForAllOfIt() {
        MachineSide side = bench.exchanging(GET);
        side.payload(bytes(OK), 1000);
        side.receive(bytes("G"), 2000);
        side.receive(bytes("ET"), 9_000_000_000L);
        assertThat(side.deadlineNanos()).isEqualTo(2000 + 10_000_000_000L);
        side.tick(2000 + 10_000_000_000L);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TOO_SLOW);
    }

    // Broken off

    @ParameterizedTest
    @CsvSource({
        "DENIED,403 Forbidden",
        "TIMED_OUT,504 Gateway Timeout",
        "REFUSED,502 Bad Gateway",
        "HOST_UNREACHABLE,502 Bad Gateway"
    })
    void tellsWhyTheOriginWasNotReached(OpenOutcome outcome, String status) {
        MachineSide side = bench.server();
        receive(side, GET);
        side.opened(outcome, 0);
        assertThat(sent(side))
                .isEqualTo(head("HTTP/1.1 " + status, "Content-Length: 0", "Connection: close"));
        assertThat(side.isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 2", "HTTP/1.1 100 Continue\r\n\r\nHTTP"})
    void answers502WhenTheOriginEndsBeforeItsHead(String part) {
        MachineSide side = bench.exchanging(GET);
        if (!part.isEmpty()) {
            answer(side, part);
        }
        side.payloadEnd(0);
        assertThat(sent(side)).contains("HTTP/1.1 502 Bad Gateway\r\n");
        assertThat(side.isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10", "Transfer-Encoding: chunked"})
    void resetsWhenTheOriginEndsInTheBody(String framing) {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", framing) + "5\r\nhel");
        side.payloadEnd(0);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
    }

    @Test
    void resetsWhenTheChunksOfTheOriginBreak() {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + "zz\r\n");
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    /// I11: the client ends its side behind the request and still gets the whole answer.
    @Test
    void i11AnswersAClientThatEndedItsSide() {
        MachineSide side = bench.server();
        receive(side, GET);
        side.receiveEnd(0);
        assertThat(side.isOver()).isFalse();
        assertThat(side.deliveredEnd()).isFalse();
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK.substring(0, 30));
        answer(side, OK.substring(30));
        assertThat(sent(side)).isEqualTo(KEPT.replace("keep-alive", "close"));
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void i11PassesOnAnUploadThatEndsEarly() {
        MachineSide side =
                bench.exchanging(head("POST http://e/ HTTP/1.1", "Content-Length: 10") + "123");
        side.receiveEnd(0);
        assertThat(side.deliveredEnd()).isTrue();
        answer(side, head("HTTP/1.1 400 Bad Request", "Content-Length: 0"));
        assertThat(sent(side)).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void aClientThatEndsInARequestIsTruncated() {
        MachineSide side = bench.server();
        receive(side, "GET http://e/ HT");
        side.receiveEnd(0);
        assertThat(side.fault().kind()).isEqualTo(PeerFault.Kind.TRUNCATED);
    }

    // I12: upgrades

    @Test
    void i12GoesOnInTheOtherProtocolAfter101() {
        MachineSide side = bench.server();
        receive(
                side,
                head(
                                "GET http://e/ws HTTP/1.1",
                                "Connection: keep-alive, Upgrade",
                                "Upgrade: websocket",
                                "Proxy-Authorization: Basic dXNlcjpwYXNz",
                                "Sec-WebSocket-Version: 13")
                        + "early");
        assertThat(side.deliveredText())
                .isEqualTo(
                        head(
                                "GET /ws HTTP/1.1",
                                "Host: e",
                                "Upgrade: websocket",
                                "Sec-WebSocket-Version: 13",
                                "Connection: Upgrade"));
        side.opened(OpenOutcome.OK, 0);
        answer(
                side,
                head(
                                "HTTP/1.1 101 Switching Protocols",
                                "Upgrade: websocket",
                                "Connection: Upgrade",
                                "Sec-WebSocket-Accept: x")
                        + "frame");
        assertThat(sent(side))
                .isEqualTo(
                        head(
                                        "HTTP/1.1 101 Switching Protocols",
                                        "Upgrade: websocket",
                                        "Sec-WebSocket-Accept: x",
                                        "Connection: Upgrade")
                                + "frame");
        assertThat(side.deliveredText()).endsWith("\r\n\r\nearly");
        assertThat(side.isTransparent()).isTrue();
        receive(side, "up");
        answer(side, "down");
        assertThat(side.deliveredText()).endsWith("earlyup");
        assertThat(sent(side)).isEqualTo("down");
    }

    @Test
    void i12PassesARefusalAsAnAnswer() {
        MachineSide side =
                bench.exchanging(
                        head(
                                "GET http://e/ws HTTP/1.1",
                                "Connection: upgrade",
                                "Upgrade: websocket"));
        answer(side, head("HTTP/1.1 403 Forbidden", "Content-Length: 0"));
        assertThat(sent(side)).startsWith("HTTP/1.1 403 Forbidden\r\n").contains("keep-alive");
        receive(side, GET);
        assertThat(side.opens()).isEqualTo(1);
    }

    @Test
    void i12DoesNotUpgradeAnOldClient() {
        MachineSide side =
                bench.exchanging(
                        head("GET http://e/ HTTP/1.0", "Connection: upgrade", "Upgrade: x"));
        assertThat(side.deliveredText()).doesNotContain("Upgrade");
    }

    // I15: interim and early answers

    @Test
    void i15PassesInterimAnswers() {
        MachineSide side =
                bench.exchanging(
                        head(
                                "PUT http://e/ HTTP/1.1",
                                "Expect: 100-continue",
                                "Content-Length: 5"));
        assertThat(side.deliveredText()).contains("Expect: 100-continue\r\n");
        answer(side, head("HTTP/1.1 100 Continue"));
        assertThat(sent(side)).isEqualTo(head("HTTP/1.1 100 Continue"));
        receive(side, "hello");
        answer(side, head("HTTP/1.1 103 Early Hints", "Link: x") + OK);
        assertThat(sent(side)).isEqualTo(head("HTTP/1.1 103 Early Hints", "Link: x") + KEPT);
        assertThat(side.isOver()).isFalse();
    }

    @Test
    void i15DoesNotConfuseAnOldClientWithInterimAnswers() {
        MachineSide side = bench.exchanging(head("GET http://e/ HTTP/1.0"));
        answer(side, head("HTTP/1.1 103 Early Hints", "Link: x") + OK);
        assertThat(sent(side)).startsWith("HTTP/1.0 200 OK\r\n");
    }

    /// I15: the origin says no before it has read the body; the client reads that, and the
    /// connection ends.
    @Test
    void i15PassesAnAnswerBeforeTheBodyIsRead() {
        MachineSide side =
                bench.exchanging(head("PUT http://e/ HTTP/1.1", "Content-Length: 1000") + "some");
        answer(side, head("HTTP/1.1 413 Content Too Large", "Content-Length: 0"));
        assertThat(sent(side))
                .isEqualTo(
                        head(
                                "HTTP/1.1 413 Content Too Large",
                                "Content-Length: 0",
                                "Connection: close",
                                "Proxy-Connection: close"));
        assertThat(side.isOver()).isFalse();
        receive(side, "x".repeat(900));
        assertThat(side.deliveredText()).endsWith("some");
        receive(side, "x".repeat(96) + GET);
        assertThat(side.isClosed()).isTrue();
        assertThat(side.fault()).isNull();
    }

    @Test
    void i15DoesNotReadARefusedBodyForEver() {
        MachineSide side = bench.exchanging(head("PUT http://e/ HTTP/1.1", "Content-Length: 1000"));
        side.payload(bytes(head("HTTP/1.1 413 No", "Content-Length: 0")), 7);
        side.tick(7 + 5_000_000_000L);
        assertThat(side.isClosed()).isTrue();
    }

    // Cuts and garbage

    @ParameterizedTest
    @Seeds(80)
    void theAnswerDoesNotDependOnHowBytesAreCut(long seed) {
        String[] answers = {
            OK,
            head("HTTP/1.1 100 Continue") + OK,
            head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")
                    + "5;a=b\r\nhello\r\n1F \r\n"
                    + "x".repeat(31)
                    + "\r\n0\r\nA: b\r\n\r\n",
            head("HTTP/1.1 204 No Content"),
            head("HTTP/1.1 200 OK") + "until the end",
            head("HTTP/1.1 200 OK", "Content-Length: x")
        };
        String answer = answers[(int) (seed % answers.length)];
        MachineSide whole = bench.exchanging(GET);
        answer(whole, answer);
        MachineSide pieces = bench.exchanging(GET);
        Random random = new Random(seed);
        for (int at = 0; at < answer.length() && !pieces.isOver(); ) {
            int size = Math.min(answer.length() - at, 1 + random.nextInt(8));
            answer(pieces, answer.substring(at, at + size));
            at += size;
        }
        whole.payloadEnd(0);
        pieces.payloadEnd(0);
        assertThat(pieces.transcript()).isEqualTo(whole.transcript());
    }

    @ParameterizedTest
    @Seeds(80)
    void theRequestsDoNotDependOnHowBytesAreCut(long seed) {
        String requests =
                head("POST http://e/1 HTTP/1.1", "Content-Length: 5")
                        + "hello"
                        + head("PUT http://e/2 HTTP/1.1", "Transfer-Encoding: chunked")
                        + "3\r\nabc\r\n0\r\n\r\n"
                        + GET;
        Random random = new Random(seed);
        MachineSide side = bench.server();
        for (int at = 0; at < requests.length(); ) {
            int size = Math.min(requests.length() - at, 1 + random.nextInt(10));
            receive(side, requests.substring(at, at + size));
            at += size;
        }
        side.opened(OpenOutcome.OK, 0);
        answer(side, OK);
        answer(side, OK);
        answer(side, OK);
        assertThat(side.deliveredText())
                .isEqualTo(
                        head("POST /1 HTTP/1.1", "Host: e", "Content-Length: 5")
                                + "hello"
                                + head("PUT /2 HTTP/1.1", "Host: e", "Transfer-Encoding: chunked")
                                + "3\r\nabc\r\n0\r\n\r\n"
                                + head("GET / HTTP/1.1", "Host: e"));
        assertThat(sent(side)).isEqualTo(KEPT.repeat(3));
        assertThat(side.opens()).isEqualTo(1);
    }

    @ParameterizedTest
    @Seeds(400)
    void garbageEndsInAFaultAndNothingElse(long seed) {
        Random random = new Random(seed);
        String[] parts = {
            "GET ",
            "http://e/",
            " HTTP/1.1",
            "\r\n",
            "\n",
            "Host: ",
            "Content-Length: 3",
            ":",
            " ",
            "Transfer-Encoding: chunked",
            "5",
            "0",
            "\0",
            "CONNECT ",
            "e:1",
            "Connection: close",
            "HTTP/1.1 200 OK",
            "abc",
            "\u00e9",
            "Upgrade: x",
            "Connection: upgrade"
        };
        MachineSide side = bench.server(options(Users.NONE, random.nextBoolean()));
        int answered = 0;
        for (int i = 0; i < 40 && !side.isOver() && !side.isTransparent(); i++) {
            StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? GET : "");
            for (int n = random.nextInt(6); n > 0; n--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            if (text.isEmpty()) {
                continue;
            }
            if (side.opens() > answered) {
                answered = side.opens();
                side.opened(random.nextInt(5) == 0 ? OpenOutcome.FAILED : OpenOutcome.OK, 0);
            } else if (random.nextBoolean() && side.opened() != null) {
                answer(side, random.nextBoolean() ? OK : text.toString());
            } else {
                receive(side, text.toString());
            }
        }
        if (!side.isTransparent()) {
            side.receiveEnd(0);
        }
        assertThat(side.isOver() || side.opened() != null || side.isTransparent()).isTrue();
    }

    private static Destination destination(String host, int port) {
        return new Destination(Host.parse(host), port);
    }
}
