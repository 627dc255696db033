package sluice.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.protocol.http.HttpBench.answer;
import static sluice.protocol.http.HttpBench.assertRefused;
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

/// What messages may cost, and fields that could be read in two ways.
final class HttpServerLimitsTest {

    private static final String GET = head("GET http://e/ HTTP/1.1");
    private static final String OK_LINE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n";

    private final HttpBench bench = new HttpBench();

    @AfterEach
    void allBuffersCameBack() {
        bench.assertAllBuffersCameBack();
    }

    // Fields

    @Test
    void aThousandFieldsPassAndMoreAreTooMany() {
        MachineSide fine = bench.server();
        receive(fine, "GET http://e/ HTTP/1.1\r\n" + "b:\n".repeat(1000) + "\r\n");
        assertThat(fine.deliveredText()).isEqualTo(head("GET / HTTP/1.1", "Host: e", many(1000)));
        MachineSide side = bench.server();
        receive(side, "GET http://e/ HTTP/1.1\r\n" + "b:\n".repeat(1001) + "\r\n");
        assertRefused(
                side, "HTTP/1.1 431 Request Header Fields Too Large", PeerFault.Kind.TOO_LARGE);
    }

    private static String many(int count) {
        return "b: \r\n".repeat(count - 1) + "b: ";
    }

    @Test
    void anAnswerMayHaveAsManyFields() {
        MachineSide fine = bench.exchanging(GET);
        answer(fine, OK_LINE + "b:\n".repeat(999) + "\r\nok");
        assertThat(sent(fine)).contains("\r\n" + many(999) + "\r\n");
        MachineSide side = bench.exchanging(GET);
        answer(side, OK_LINE + "b:\n".repeat(1000) + "\r\nok");
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        assertThat(side.isClosed()).isTrue();
    }

    /// Each field is looked for among them.
    @Test
    void connectionNamesSixtyFourFieldsAtMost() {
        MachineSide fine = bench.server();
        receive(
                fine,
                head(
                        "GET http://e/ HTTP/1.1",
                        "Connection: " + "a, ,".repeat(62),
                        "Connection: B,\tc",
                        "b: 1",
                        "C: 2",
                        "d: 3"));
        assertThat(fine.deliveredText()).isEqualTo(head("GET / HTTP/1.1", "Host: e", "d: 3"));
        MachineSide side = bench.server();
        receive(side, head("GET http://e/ HTTP/1.1", "Connection: " + "a,".repeat(65)));
        assertRefused(
                side, "HTTP/1.1 431 Request Header Fields Too Large", PeerFault.Kind.TOO_LARGE);
    }

    @Test
    void anAnswersConnectionNamesAsMany() {
        MachineSide fine = bench.exchanging(GET);
        answer(fine, OK_LINE + head("Connection: " + "a,".repeat(63) + "b", "b: 1") + "ok");
        assertThat(sent(fine)).startsWith("HTTP/1.1 200 OK").doesNotContain("b: 1");
        MachineSide side = bench.exchanging(GET);
        answer(side, OK_LINE + head("Connection: " + "a,".repeat(65)) + "ok");
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
    }

    // An answer's head

    @Test
    void aPartOfAnAnswersHeadStaysInTheEnginesBuffer() {
        MachineSide side = bench.exchanging(GET);
        String answer = OK_LINE + "A: " + "a".repeat(3000) + "\r\n\r\nok";
        for (int at = 0; at < answer.length(); at++) {
            answer(side, answer.substring(at, at + 1));
        }
        assertThat(sent(side)).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nok");
        assertThat(bench.loop().pool().inUse()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswersHeadHasALimit(boolean isEnded) {
        MachineSide side = bench.exchanging(GET);
        String large = OK_LINE + "A: " + "a".repeat(64 * 1024);
        answer(side, isEnded ? large + "\r\n\r\nok" : large);
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        assertThat(side.isClosed()).isTrue();
    }

    @Test
    void interimAnswersHaveALimit() {
        MachineSide side = bench.exchanging(GET);
        answer(side, "HTTP/1.1 102\r\n\r\n".repeat(1000));
        assertThat(side.isOver()).isFalse();
        answer(side, "HTTP/1.1 102\r\n\r\n");
        assertThat(sent(side)).contains("HTTP/1.1 502 ");
        assertThat(side.isClosed()).isTrue();
    }

    // Lengths and codings of answers

    @ParameterizedTest
    @ValueSource(strings = {"identity", "Identity", "identity, identity", "\r\n identity"})
    void identityIsNoCoding(String coding) {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK_LINE + head("Transfer-Encoding: " + coding) + "ok");
        assertThat(sent(side))
                .contains("Content-Length: 2\r\n", "Connection: keep-alive")
                .doesNotContain("Transfer-Encoding")
                .endsWith("\r\n\r\nok");
        assertThat(side.isOver()).isFalse();
    }

    /// Whoever asks so may be read in two ways by what stands behind.
    @ParameterizedTest
    @ValueSource(strings = {"identity", "chunked, identity", "\r\n chunked", "chunked\r\n "})
    void inARequestIdentityAndFoldsAreRefused(String coding) {
        MachineSide side = bench.server();
        receive(side, head("POST http://e/ HTTP/1.1", "Transfer-Encoding: " + coding));
        assertRefused(side, "HTTP/1.1 400 Bad Request", PeerFault.Kind.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n chunked",
                "\r\n \r\n\tchunked",
                "gzip,\r\n chunked",
                " \n chunked \r\n ",
                "gzip\r\n , chunked"
            })
    void aFoldedCodingIsStillOne(String coding) {
        MachineSide side = bench.exchanging(GET);
        String body = "2\r\nok\r\n0\r\n\r\n";
        answer(side, head("HTTP/1.1 200 OK", "Transfer-Encoding:" + coding, "A: b") + body);
        assertThat(sent(side))
                .matches("(?s)HTTP/1.1 200 OK\r\nTransfer-Encoding: (gzip *, +)?chunked\r\nA: b.*")
                .contains("Connection: keep-alive")
                .endsWith("\r\n\r\n" + body);
        assertThat(side.detaches()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'\r\n 2',true", "'2\r\n ',true", "'2\r\n 3',false", "'\r\n ',false"})
    void aFoldedLengthIsOneNumberOrNone(String length, boolean isFine) {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", "Content-Length:" + unescaped(length)) + "ok");
        assertThat(sent(side)).startsWith(isFine ? "HTTP/1.1 200 " : "HTTP/1.1 502 ");
    }

    private static String unescaped(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n");
    }

    @Test
    void aFoldedConnectionStillNamesFields() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK_LINE + head("Connection: x,\r\n x-hop,\r\n close", "X-Hop: 1") + "ok");
        assertThat(sent(side)).doesNotContain("X-Hop");
        assertThat(side.detaches()).isEqualTo(1);
    }

    @Test
    void aFoldedValueIsJudgedLikeAnyOther() {
        for (String line : new String[] {" a\0b", " a\rb"}) {
            MachineSide side = bench.exchanging(GET);
            answer(side, OK_LINE + head("A: 1\r\n" + line) + "ok");
            assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void aThousandsFoldIsLikeTheFirst() {
        MachineSide side = bench.exchanging(GET);
        answer(side, OK_LINE + "A: 1" + "\n ".repeat(20_000) + "2\n \n\r\nok");
        assertThat(sent(side)).matches("(?s).*\r\nA: 1 +2\r\nConn.*ok");
    }

    // Chunks

    /// Some origins fill each size up with blanks.
    @Test
    void aLongBodyMayHaveManyBlanks() {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"));
        String chunks = "1     \r\nx\r\n".repeat(1000);
        for (int i = 0; i < 20; i++) {
            answer(side, chunks);
        }
        answer(side, "0\r\n\r\n");
        assertThat(sent(side)).endsWith("\r\n0\r\n\r\n");
        assertThat(side.isOver()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;", "1 ", "0\r\nA: "})
    void oneChunksExtensionAndTheTrailersHaveALimit(String start) {
        MachineSide side = bench.exchanging(GET);
        answer(side, head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + start);
        String more = (start.endsWith(" ") && start.startsWith("1") ? " " : "a").repeat(1000);
        for (int i = 0; i < 64; i++) {
            answer(side, more);
        }
        assertThat(side.isOver()).isFalse();
        answer(side, more + more);
        assertThat(side.farewell()).isEqualTo(Farewell.RESET);
    }

    // Room

    @Test
    void aHeadWithManyFieldsLeavesNothingBehind() {
        RequestReader reader = new RequestReader(64 * 1024);
        var in = bench.loop().pool().acquire(8000);
        in.put(HttpBench.bytes("GET http://e/ HTTP/1.1\r\n" + "b:\n".repeat(900) + "\n"));
        assertThat(reader.read(in)).isEqualTo(RequestReader.Finding.REQUEST);
        assertThat(reader.head().count()).isEqualTo(900);
        assertThat(reader.head().room()).isGreaterThanOrEqualTo(900);
        reader.reset();
        assertThat(reader.head().room()).isEqualTo(16);
        assertThat(reader.head().array()).isEmpty();
        in.release();
    }

    @Test
    void aFailureBehindAPartOfAHeadGivesTheBufferBack() {
        MachineSide side = bench.exchanging(GET);
        answer(side, "HTTP/1.1 200");
        assertThat(bench.loop().pool().inUse()).isEqualTo(1);
        side.payloadEnd(0);
        assertThat(sent(side)).startsWith("HTTP/1.1 502 ");
        assertThat(bench.loop().pool().inUse()).isZero();
        assertThat(side.opened()).isNotNull();
        MachineSide other = bench.server();
        receive(other, GET);
        other.opened(OpenOutcome.FAILED, 0);
        assertThat(other.isClosed()).isTrue();
    }
}
