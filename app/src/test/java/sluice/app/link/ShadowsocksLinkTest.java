package sluice.app.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.app.Golden;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Refusal;
import sluice.base.config.Secret;
import sluice.base.net.DomainName;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.testkit.Seeds;

/// Links as SIP002, its plain form and the older form write them; sources in brackets.
final class ShadowsocksLinkTest {

    static Stream<Arguments> links() throws IOException {
        return Files.readAllLines(Golden.resources().resolve("vectors/links/shadowsocks.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> Arguments.of((Object[]) line.split(" \\| ", -1)));
    }

    @ParameterizedTest
    @MethodSource("links")
    void readsWhatIsFoundInTheWild(
            String link, String method, String password, String host, int port, String name) {
        ShadowsocksLink read = ShadowsocksLink.parse(link);
        assertThat(read.method()).isEqualTo(method);
        assertThat(read.password().reveal()).isEqualTo(password);
        assertThat(read.host()).isEqualTo(Host.parse(host));
        assertThat(read.port()).isEqualTo(port);
        assertThat(read.name()).isEqualTo(name.equals("-") ? "" : name);
    }

    @Test
    void theKeyOfTheExampleHasItsBytes() {
        ShadowsocksLink link =
                ShadowsocksLink.parse(
                        "ss://2022-blake3-aes-256-gcm:YctPZ6U7xPPcU%2Bgp3u%2B0tx%2FtRizJN9K8y%2BuKlW2qjlI%3D@192.168.100.1:8888");
        assertThat(HexFormat.of().formatHex(Base64.getDecoder().decode(link.password().reveal())))
                .isEqualTo("61cb4f67a53bc4f3dc53e829deefb4b71fed462cc937d2bccbeb8a956daa8e52");
    }

    @Test
    void readsPluginsWithTheirOptions() {
        ShadowsocksLink old =
                ShadowsocksLink.parse(
                        "ss://YmYtY2ZiOnRlc3Q@192.168.100.1:8888/?plugin=obfs-local%3bobfs%3dhttp%3bobfs-host%3dgoogle.com&unsupported=1#x");
        assertThat(old.plugin()).isEqualTo("obfs-local");
        assertThat(old.pluginOptions()).isEqualTo("obfs=http;obfs-host=google.com");
        ShadowsocksLink plain =
                ShadowsocksLink.parse(
                        "ss://2022-blake3-aes-256-gcm:YctPZ6U7xPPcU%2Bgp3u%2B0tx%2FtRizJN9K8y%2BuKlW2qjlI%3D@192.168.100.1:8888/?plugin=v2ray-plugin%3Bserver#Example3");
        assertThat(plain.plugin()).isEqualTo("v2ray-plugin");
        assertThat(plain.pluginOptions()).isEqualTo("server");
        assertThat(
                        ShadowsocksLink.parse("ss://aes-128-gcm:x@192.0.2.1:1?plugin=simple-obfs")
                                .plugin())
                .isEqualTo("obfs-local");
    }

    @ParameterizedTest
    @ValueSource(strings = {"uot=1", "udp-over-tcp=true", "a=b&uot=1"})
    void readsUdpOverTcp(String query) {
        assertThat(ShadowsocksLink.parse("ss://aes-128-gcm:x@192.0.2.1:1?" + query).udpOverTcp())
                .isTrue();
    }

    @Test
    void aLinkThatIsTooLongIsToldSo() {
        assertThatThrownBy(() -> ShadowsocksLink.parse("ss://" + "A".repeat(9000)))
                .isInstanceOf(Refusal.class)
                .hasMessage("is longer than 8192 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ss://",
                "http://a",
                "ss://@a:1",
                "ss://aes-128-gcm:secret@a",
                "ss://aes-128-gcm:secret@a:0",
                "ss://aes-128-gcm:secret@a:65536",
                "ss://aes-128-gcm:secret@a:x",
                "ss://aes-128-gcm:secret@:1",
                "ss://!!!secret@a:1",
                "ss://c2VjcmV0@a:1",
                "ss://secret",
                "ss://c2VjcmV0",
                "ss://aes-128-gcm:secret@2001:db8::1",
                "ss://aes-128-gcm:secret@a b:1",
                "ss://aes-128-gcm:secret@a:1?plugin=/bin/sh%3B-c",
                "ss://aes-128-gcm:secret@a:1?plugin=rm"
            })
    void refusesTheRestAndSaysNothingOfTheSecret(String link) {
        assertThatThrownBy(() -> ShadowsocksLink.parse(link))
                .isInstanceOf(Refusal.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void writesTheFormThatEachMethodNeeds() {
        assertThat(link("aes-128-gcm", "test", "").write())
                .isEqualTo("ss://YWVzLTEyOC1nY206dGVzdA@192.0.2.1:8388");
        assertThat(link("2022-blake3-aes-128-gcm", "a+/=:b+/=", "one two").write())
                .isEqualTo(
                        "ss://2022-blake3-aes-128-gcm:a%2B%2F%3D:b%2B%2F%3D@192.0.2.1:8388#one%20two");
        assertThat(link("none", "", "").write()).isEqualTo("ss://none:@192.0.2.1:8388");
        ShadowsocksLink full =
                new ShadowsocksLink(
                        "é",
                        IpAddress.LOOPBACK_V6,
                        1,
                        "aes-256-gcm",
                        Secret.of("p"),
                        "obfs-local",
                        "obfs=http;obfs-host=a",
                        true);
        assertThat(full.write())
                .isEqualTo(
                        "ss://YWVzLTI1Ni1nY206cA@[::1]:1/?plugin=obfs-local%3Bobfs%3Dhttp%3Bobfs-host%3Da&uot=1#%C3%A9");
    }

    @ParameterizedTest
    @Seeds(500)
    void whatIsWrittenIsReadAsItWas(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean keys = random.nextBoolean();
        Host[] hosts = {
            IpAddress.LOOPBACK_V4,
            IpAddress.LOOPBACK_V6,
            new DomainName("a_b.example"),
            new DomainName("例え.example")
        };
        ShadowsocksLink link =
                new ShadowsocksLink(
                        text(random, 12).strip(),
                        hosts[random.nextInt(hosts.length)],
                        1 + random.nextInt(65_535),
                        keys ? "2022-blake3-aes-256-gcm" : "chacha20-ietf-poly1305",
                        Secret.of(text(random, 40)),
                        random.nextBoolean() ? "v2ray-plugin" : "",
                        "",
                        random.nextBoolean());
        ShadowsocksLink withOptions =
                link.plugin().isEmpty()
                        ? link
                        : new ShadowsocksLink(
                                link.name(),
                                link.host(),
                                link.port(),
                                link.method(),
                                link.password(),
                                link.plugin(),
                                text(random, 20),
                                link.udpOverTcp());
        assertThat(ShadowsocksLink.parse(withOptions.write())).isEqualTo(withOptions);
    }

    @ParameterizedTest
    @Seeds(500)
    void garbageEndsInARefusal(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String text = "ss://" + text(random, 60) + (random.nextBoolean() ? "@a:1" : "");
        try {
            ShadowsocksLink.parse(text);
        } catch (Refusal refusal) {
            assertThat(refusal).hasMessageNotContaining("\n");
        } catch (RuntimeException other) {
            fail(text, other);
        }
    }

    @Test
    void anOutboundBecomesALinkAndBack() {
        ShadowsocksLink link =
                ShadowsocksLink.parse(
                        "ss://aes-128-gcm:x@a.example:1?plugin=v2ray-plugin%3Btls&uot=1#tokyo");
        assertThat(ShadowsocksLink.ofOutbound("tokyo", link.toOutbound("tokyo", Place.of("link"))))
                .isEqualTo(link);
    }

    @Test
    void aWrongLinkIsAFinding() {
        Findings findings = new Findings();
        assertThat(ShadowsocksLink.configuration(java.util.List.of("ss://x"), findings)).isNull();
        assertThat(findings.report()).startsWith("link 1  has no @");
    }

    private static ShadowsocksLink link(String method, String password, String name) {
        return new ShadowsocksLink(
                name, Host.parse("192.0.2.1"), 8388, method, Secret.of(password), "", "", false);
    }

    private static String text(SplittableRandom random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            text.append("aZ09+/=:@#?&;%\\ é😀-_.~".charAt(random.nextInt(21)));
        }
        // Half a character is none.
        return text.toString().replaceAll("[\\ud800-\\udfff]", "x");
    }
}
