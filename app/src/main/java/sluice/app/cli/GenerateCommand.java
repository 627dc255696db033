package sluice.app.cli;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.InboundSettings;
import sluice.app.config.OutboundSettings;
import sluice.app.link.ShadowsocksLink;
import sluice.base.config.Nearest;
import sluice.base.config.Shown;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;

/// `sluice generate`.
final class GenerateCommand implements Command {

    private static final Option BASE64 = new Option('\0', "base64", false);
    private static final Option HEX = new Option('\0', "hex", false);
    private static final Option SERVER = new Option('s', "server", true);

    private static final List<String> WHAT = List.of("uuid", "rand", "ss-key", "link");

    /// Bytes of a key by method; the other methods take any password.
    private static final Map<String, Integer> KEY_BYTES =
            Map.of(
                    "2022-blake3-aes-128-gcm", 16,
                    "2022-blake3-aes-256-gcm", 32,
                    "2022-blake3-chacha20-poly1305", 32);

    /// Bytes of a password that nobody guesses, for methods that take any.
    private static final int PASSWORD_BYTES = 24;

    private static final String SHADOWSOCKS = "shadowsocks";

    private static final int MOST_BYTES = 1 << 20;

    @Override
    public String help() {
        return """
        sluice generate uuid
        sluice generate rand [--base64 | --hex] BYTES
        sluice generate ss-key METHOD
        sluice generate link [-c FILE]... [-C DIR]... [-D DIR] [--server NAME]

        Makes what a configuration needs, ready to be pasted.

          uuid     a random identifier
          rand     random bytes: raw, in Base64 or in hexadecimal
          ss-key   a key for a Shadowsocks method, of the length it needs
          link     an ss:// link for each Shadowsocks inbound and outbound of a configuration;
                   links hold passwords
            -s, --server NAME   the name or address that clients reach this machine by, for inbounds

        Examples:
          sluice generate ss-key 2022-blake3-aes-128-gcm
          sluice generate link -c config.json --server proxy.example.com
        """;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(Option.CONFIGURATION);
        options.addAll(List.of(BASE64, HEX, SERVER));
        return options;
    }

    @Override
    public int run(Arguments arguments, Console console) {
        List<String> words = arguments.words();
        if (words.isEmpty()) {
            throw new UsageFault("what? " + String.join(", ", WHAT));
        }
        String what = words.getFirst();
        List<String> rest = words.subList(1, words.size());
        switch (what) {
            case "uuid" -> console.out().println(UUID.randomUUID());
            case "rand" -> printRandom(rest, arguments, console);
            case "ss-key" -> console.out().println(key(only(rest, "a method")));
            case "link" -> printLinks(rest, arguments, console);
            default -> {
                String near = Nearest.to(what, WHAT);
                throw new UsageFault(
                        "cannot make "
                                + Shown.quoted(what)
                                + (near == null
                                        ? "; it makes " + String.join(", ", WHAT)
                                        : "; did you mean " + near + "?"));
            }
        }
        return DONE;
    }

    private static void printRandom(List<String> words, Arguments arguments, Console console) {
        String count = only(words, "a number of bytes");
        if (!count.matches("[0-9]{1,7}") || Integer.parseInt(count) > MOST_BYTES) {
            throw new UsageFault(Shown.quoted(count) + " is not a number of bytes (up to 1048576)");
        }
        byte[] bytes = random(Integer.parseInt(count));
        if (arguments.has(BASE64)) {
            console.out().println(Base64.getEncoder().encodeToString(bytes));
        } else if (arguments.has(HEX)) {
            console.out().println(HexFormat.of().formatHex(bytes));
        } else {
            console.out().write(bytes, 0, bytes.length);
            console.out().flush();
        }
    }

    private static String key(String method) {
        Integer bytes = KEY_BYTES.get(method);
        if (bytes == null && method.startsWith("2022-")) {
            throw new UsageFault(
                    "there is no method "
                            + Shown.quoted(method)
                            + "; of the 2022 edition there are "
                            + String.join(", ", KEY_BYTES.keySet().stream().sorted().toList()));
        }
        return Base64.getEncoder().encodeToString(random(bytes == null ? PASSWORD_BYTES : bytes));
    }

    private static void printLinks(List<String> words, Arguments arguments, Console console) {
        if (!words.isEmpty()) {
            throw new UsageFault("there is nothing to do with " + Shown.quoted(words.getFirst()));
        }
        Configuration configuration = Configurations.load(arguments.request(List.of()));
        List<ShadowsocksLink> links = new ArrayList<>();
        for (InboundSettings inbound : configuration.inbounds()) {
            if (inbound.type().equals(SHADOWSOCKS)) {
                links.addAll(linksOf(inbound, arguments.value(SERVER)));
            }
        }
        for (OutboundSettings outbound : configuration.outbounds()) {
            if (outbound.type().equals(SHADOWSOCKS)) {
                links.add(ShadowsocksLink.ofOutbound(outbound.tag(), outbound.node()));
            }
        }
        if (links.isEmpty()) {
            throw new UsageFault("the configuration has nothing of type shadowsocks");
        }
        links.forEach(link -> console.out().println(link.write()));
    }

    private static List<ShadowsocksLink> linksOf(InboundSettings inbound, @Nullable String server) {
        Endpoint at = inbound.listen().at().getFirst();
        if (server == null && at.address().isAny()) {
            throw new UsageFault(
                    "inbound "
                            + inbound.tag()
                            + " listens on every address; say with --server which name or address"
                            + " clients use");
        }
        try {
            Host host = server == null ? at.address() : Host.parse(server);
            return ShadowsocksLink.ofInbound(
                    inbound.tag(), host, at.port(), inbound.protocolNode());
        } catch (IllegalArgumentException fault) {
            throw new UsageFault("--server: " + fault.getMessage());
        }
    }

    private static String only(List<String> words, String what) {
        if (words.size() != 1) {
            throw new UsageFault("needs " + what);
        }
        return words.getFirst();
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
