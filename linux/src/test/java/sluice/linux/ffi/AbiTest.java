package sluice.linux.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Compares the numbers of [Abi] with the C headers of this system, where it has any.
final class AbiTest {
    private static final Path INCLUDE = Path.of("/usr/include");

    private static final List<String> HEADERS =
            List.of(
                    "asm-generic/socket.h",
                    "asm-generic/fcntl.h",
                    "asm-generic/resource.h",
                    "linux/fcntl.h",
                    "linux/in.h",
                    "linux/in6.h",
                    "linux/tcp.h",
                    "linux/udp.h",
                    "linux/eventpoll.h");

    /// Where the C library keeps what the kernel's headers do not show to programs.
    private static final List<String> LIBRARY_HEADERS =
            List.of(
                    "bits/socket.h",
                    "bits/socket_type.h",
                    "bits/fcntl-linux.h",
                    "bits/mman-linux.h");

    /// Ours for the header's, where we have shortened a name or put two together.
    private static final Map<String, String> NAMES =
            Map.of(
                    "PMTUDISC_DO", "IP_PMTUDISC_DO",
                    "SHUT_WR", "not in a header as a number",
                    "PROT_READ_WRITE", "two flags",
                    "MAP_PRIVATE_ANONYMOUS", "two flags");

    private static final Pattern NUMBER =
            Pattern.compile(
                    "(?:#\\s*define\\s+)?\\b([A-Z][A-Z0-9_]+)\\b\\s*=?\\s*"
                            + "\\(?(?:\\(__force __poll_t\\)|\\(__poll_t\\))?\\s*"
                            + "(0x[0-9a-fA-F]+|\\d+)U?(?:\\s*<<\\s*(\\d+))?\\b");

    @Test
    void numbersAreThoseOfTheHeaders() throws IOException, IllegalAccessException {
        Map<String, Integer> known = readHeaders();
        Assumptions.assumeTrue(known.size() > 100, "no C headers here");
        List<String> checked = new ArrayList<>();
        for (Field field : Abi.class.getDeclaredFields()) {
            if (!Modifier.isPublic(field.getModifiers())) {
                continue;
            }
            Integer expected = known.get(NAMES.getOrDefault(field.getName(), field.getName()));
            if (expected != null) {
                assertThat(field.getInt(null)).as(field.getName()).isEqualTo(expected);
                checked.add(field.getName());
            }
        }

        assertThat(checked)
                .hasSizeGreaterThan(40)
                .contains("SO_MARK", "TCP_FASTOPEN_CONNECT", "UDP_SEGMENT", "IPV6_RECVPKTINFO");
    }

    private static Map<String, Integer> readHeaders() throws IOException {
        Map<String, Integer> known = new TreeMap<>();
        List<Path> files = new ArrayList<>();
        HEADERS.forEach(header -> files.add(INCLUDE.resolve(header)));
        try (Stream<Path> folders = Files.exists(INCLUDE) ? Files.list(INCLUDE) : Stream.empty()) {
            for (Path folder : folders.filter(f -> f.toString().endsWith("-linux-gnu")).toList()) {
                LIBRARY_HEADERS.forEach(header -> files.add(folder.resolve(header)));
            }
        }
        for (Path file : files) {
            if (Files.exists(file)) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                Matcher numbers = NUMBER.matcher(text);
                while (numbers.find()) {
                    int value = number(numbers.group(2));
                    int shift = numbers.group(3) == null ? 0 : number(numbers.group(3));
                    known.putIfAbsent(numbers.group(1), value << shift);
                }
            }
        }
        return known;
    }

    /// C writes octal with a leading zero.
    private static int number(String text) {
        if (text.startsWith("0x")) {
            return Integer.parseUnsignedInt(text.substring(2), 16);
        }
        int radix = text.matches("0[0-7]+") ? 8 : 10;
        return Integer.parseUnsignedInt(text, radix);
    }
}
