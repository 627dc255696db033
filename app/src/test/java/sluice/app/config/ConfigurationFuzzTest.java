package sluice.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.testkit.Seeds;

/// Whatever stands in a file, reading it ends in a configuration or in findings.
final class ConfigurationFuzzTest {

    private static final List<String> WORDS =
            List.of(
                    "inbounds",
                    "outbounds",
                    "route",
                    "rules",
                    "log",
                    "sluice",
                    "type",
                    "tag",
                    "listen",
                    "listen_port",
                    "listen_ports",
                    "server",
                    "server_port",
                    "users",
                    "username",
                    "password",
                    "method",
                    "detour",
                    "final",
                    "outbound",
                    "inbound",
                    "domain",
                    "ip_cidr",
                    "action",
                    "mode",
                    "limits",
                    "memory",
                    "buffers",
                    "drain",
                    "plugin",
                    "proxy_protocol",
                    "trusted",
                    "udp_over_tcp",
                    "domain_resolver",
                    "strategy",
                    "routing_mark",
                    "network",
                    "invert",
                    "destinations",
                    "headers",
                    "port_range");

    private static final List<String> VALUES =
            List.of(
                    "\"mixed\"",
                    "\"socks\"",
                    "\"shadowsocks\"",
                    "\"direct\"",
                    "\"http\"",
                    "\"block\"",
                    "\"dns\"",
                    "\"logical\"",
                    "\"and\"",
                    "\"reject\"",
                    "\"a\"",
                    "\"b\"",
                    "\"\"",
                    "1",
                    "0",
                    "-1",
                    "70000",
                    "1e400",
                    "true",
                    "false",
                    "null",
                    "\"::\"",
                    "\"127.0.0.1\"",
                    "\"5s\"",
                    "\"64 MiB\"",
                    "\"1-9\"",
                    "\"${env:X}\"",
                    "\"${env:SLUICE_PORT}\"",
                    "\"${file:/dev/null}\"",
                    "\"aes-128-gcm\"",
                    "\"2022-blake3-aes-128-gcm\"",
                    "\"8JCsPssfgS8tiRwiMlhARg==\"",
                    "\"10.0.0.0/8\"",
                    "99999999999999999999",
                    "\"0x1\"",
                    "\"1000:2000\"",
                    "\"\\ud800\"",
                    "\"tcp\"",
                    "\"prefer_ipv4\"");

    @ParameterizedTest
    @Seeds(400)
    void anyBytesEndInFindings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        read(bytes);
    }

    @ParameterizedTest
    @Seeds(1500)
    void anyTreeEndsInAConfigurationOrInFindings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        object(text, random, 0);
        read(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @Seeds(300)
    void anyDamageToAGoodFileEndsInAConfigurationOrInFindings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> names = Samples.in("good").toList();
        SourceText source =
                new ConfigFiles(
                                Samples.surroundings(
                                        sluice.app.Golden.resources().resolve("good"), ""),
                                new sluice.base.config.Findings())
                        .text(names.get(random.nextInt(names.size())));
        byte[] bytes = source.text().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(6); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(95));
        }
        read(bytes);
    }

    private static void read(byte[] bytes) {
        Surroundings surroundings =
                new Surroundings(
                        name -> name.equals("SLUICE_PORT") ? "1080" : null,
                        Path.of("/nonexistent"),
                        () -> bytes);
        try {
            Configurations.Reading reading =
                    Configurations.inspect(LoadRequest.ofFiles("-"), surroundings);
            assertThat(reading.configuration() == null).isEqualTo(reading.findings().hasErrors());
            assertThat(reading.findings().report()).doesNotContain("\u0000");
        } catch (RuntimeException fault) {
            fail(new String(bytes, StandardCharsets.UTF_8), fault);
        }
    }

    private static void object(StringBuilder text, SplittableRandom random, int depth) {
        text.append('{');
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append('"').append(WORDS.get(random.nextInt(WORDS.size()))).append("\": ");
            value(text, random, depth + 1);
            text.append(',');
        }
        text.append('}');
    }

    private static void value(StringBuilder text, SplittableRandom random, int depth) {
        int kind = random.nextInt(depth > 4 ? 2 : 6);
        if (kind < 2) {
            text.append(VALUES.get(random.nextInt(VALUES.size())));
        } else if (kind < 4) {
            object(text, random, depth);
        } else {
            text.append('[');
            for (int i = random.nextInt(4); i > 0; i--) {
                value(text, random, depth + 1);
                text.append(',');
            }
            text.append(']');
        }
    }
}
