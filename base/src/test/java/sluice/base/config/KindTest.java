package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;

final class KindTest {

    private final Findings findings = new Findings();

    @ParameterizedTest
    @CsvSource({
        "300ms, PT0.3S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "1.5h, PT1H30M",
        "2d, PT48H",
        "0, PT0S",
        "0s, PT0S",
        "10us, PT0.00001S",
        "10µs, PT0.00001S",
        "7ns, PT0.000000007S"
    })
    void readsDurations(String text, Duration expected) {
        assertThat(read(Kind.DURATION, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 m", "m", "-5s", "1h30", "1..5s", "5 minutes", "9999999d"})
    void refusesWhatIsNoDuration(String text) {
        assertThat(read(Kind.DURATION, text)).isNull();
        assertThat(findings.errorCount()).isEqualTo(1);
    }

    @Test
    void aDurationWithoutAUnitIsMended() {
        read(Kind.DURATION, 300);
        assertThat(findings.report())
                .isEqualTo("c.json:1:1  k: 300 has no unit\n    mend: write \"300s\" for seconds");
    }

    @ParameterizedTest
    @CsvSource({
        "64 KiB, 65536",
        "64KiB, 65536",
        "1.5 MiB, 1572864",
        "10 MB, 10000000",
        "2 gib, 2147483648",
        "100, 100",
        "100 B, 100"
    })
    void readsSizes(String text, long bytes) {
        assertThat(read(Kind.SIZE_BYTES, text)).isEqualTo(bytes);
    }

    @Test
    void aPlainNumberIsASizeInBytes() {
        assertThat(read(Kind.SIZE_BYTES, 4096)).isEqualTo(4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1 MiB", "1 Mbps", "1 TiB", "99999999999 GiB"})
    void refusesWhatIsNoSize(String text) {
        assertThat(read(Kind.SIZE_BYTES, text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"100 Mbps, 12500000", "8 kbps, 1000", "10 MB/s, 10000000", "1 MiB/s, 1048576"})
    void readsRates(String text, long bytesPerSecond) {
        assertThat(read(Kind.RATE, text)).isEqualTo(bytesPerSecond);
    }

    @Test
    void aRateWithoutAUnitIsMended() {
        read(Kind.RATE, 100);
        assertThat(findings.report()).contains("mend: write \"100 Mbps\"");
    }

    @Test
    void readsPorts() {
        assertThat(read(Kind.PORT, 1)).isEqualTo(1);
        assertThat(read(Kind.PORT, 65_535)).isEqualTo(65_535);
        for (Object wrong : List.of(0, 65_536, -1, "443", "x", true, 1.5)) {
            assertThat(read(Kind.PORT, wrong)).describedAs("%s", wrong).isNull();
        }
    }

    @Test
    void aNumberInQuotesIsMended() {
        read(Kind.PORT, "443");
        assertThat(findings.report())
                .isEqualTo(
                        "c.json:1:1  k: \"443\" is text where a port (1 to 65535) is expected\n"
                                + "    mend: write it without quotes: 443");
    }

    @Test
    void aNumberWhereTextIsExpectedIsMended() {
        read(Kind.TEXT, 1234);
        assertThat(findings.report())
                .isEqualTo(
                        "c.json:1:1  k: 1234 is not text\n    mend: write it in quotes: \"1234\"");
    }

    @Test
    void whatCameFromTheEnvironmentMayBeANumberOrAFlagAndIsNotShown() {
        assertThat(read(Kind.PORT, Nodes.from("${env:PORT}", "443"))).isEqualTo(443);
        assertThat(read(Kind.FLAG, Nodes.from("${env:ON}", "true"))).isTrue();
        assertThat(read(Kind.PORT, Nodes.from("${env:PORT}", "secret"))).isNull();
        assertThat(findings.report())
                .contains("${env:PORT} is not a port")
                .doesNotContain("secret");
    }

    @Test
    void secretsAreNeverShown() {
        assertThat(read(Kind.SECRET, "hunter2")).isEqualTo(Secret.of("hunter2"));
        assertThat(read(Kind.SECRET, "hunter2")).hasToString("***");
        assertThat(read(Kind.SECRET, 12345)).isNull();
        assertThat(findings.report())
                .isEqualTo("c.json:1:1  k: is a number, not text\n    mend: write it in quotes");
        assertThat(Nodes.object("password", "hunter2").toString()).doesNotContain("hunter2");
        assertThat(Nodes.of("hunter2").toString()).doesNotContain("hunter2");
    }

    @Test
    void readsAddressesPrefixesAndHosts() {
        assertThat(read(Kind.ADDRESS, "::1")).isEqualTo(IpAddress.LOOPBACK_V6);
        assertThat(read(Kind.ADDRESS, "localhost")).isNull();
        assertThat(read(Kind.PREFIX, "10.0.0.0/8")).isEqualTo(Prefix.parse("10.0.0.0/8"));
        assertThat(read(Kind.PREFIX, "10.0.0.1/8")).isNull();
        assertThat(read(Kind.HOST, "127.0.0.1")).isEqualTo(IpAddress.LOOPBACK_V4);
        assertThat(read(Kind.HOST, "a_b.example")).isEqualTo(new DomainName("a_b.example"));
        for (String wrong : List.of("", "a:1", "http://a", "a/b", "u@h", "a b")) {
            assertThat(read(Kind.HOST, wrong)).describedAs(wrong).isNull();
        }
    }

    @Test
    void aLongerOrShorterWordIsNearAChoice() {
        read(Kind.choice("info", "warn"), "warning");
        assertThat(findings.report()).contains("mend: write \"warn\"");
        read(Kind.choice("debug", "error"), "err");
        assertThat(findings.report()).contains("mend: write \"error\"");
        read(Kind.choice("tcp", "udp"), "t");
        assertThat(findings.report()).doesNotContain("mend: write \"tcp\"");
    }

    @Test
    void aChoiceNamesTheNearestWord() {
        read(Kind.choice("tcp", "udp"), "tpc");
        assertThat(findings.report())
                .isEqualTo(
                        "c.json:1:1  k: \"tpc\" is not one of \"tcp\", \"udp\"\n"
                                + "    mend: write \"tcp\"");
    }

    @Test
    void yamlNumbersWithABaseAreNumbers() {
        ConfigNode hex = new ConfigNode.Scalar(Nodes.HERE, ConfigNode.Scalar.Type.NUMBER, "0x10");
        ConfigNode octal = new ConfigNode.Scalar(Nodes.HERE, ConfigNode.Scalar.Type.NUMBER, "0o17");
        ConfigNode leadingZero =
                new ConfigNode.Scalar(Nodes.HERE, ConfigNode.Scalar.Type.NUMBER, "0123");
        assertThat(read(Kind.PORT, hex)).isEqualTo(16);
        assertThat(read(Kind.PORT, octal)).isEqualTo(15);
        assertThat(read(Kind.PORT, leadingZero)).isEqualTo(123);
    }

    @Test
    void aListWhereAScalarIsExpectedIsReported() {
        read(Kind.TEXT, List.of("a"));
        assertThat(findings.report()).isEqualTo("c.json:1:1  k: a list where text is expected");
    }

    private <T> T read(Kind<T> kind, Object value) {
        return kind.read(Nodes.of(value), "k", findings);
    }
}
