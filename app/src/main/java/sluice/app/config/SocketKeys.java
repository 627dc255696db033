package sluice.app.config;

import java.time.Duration;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Schema;

/// Keys that listening and dialling share, by sing-box's names.
final class SocketKeys {

    /// A netfilter mark: a number, or text such as `0x1234`.
    static final Kind<Integer> MARK =
            Kind.of(
                    "a mark (0 to 0xffffffff)",
                    Schema.anyOf(
                            Schema.map("type", "integer", "minimum", 0, "maximum", 0xffff_ffffL),
                            Schema.map(
                                    "type",
                                    "string",
                                    "pattern",
                                    "^(0x[0-9a-fA-F]{1,8}|[0-9]+|\\$\\{.*\\})$")),
                    SocketKeys::mark);

    static final Key<String> BIND_INTERFACE =
            Key.of("bind_interface", Kind.NAME).says("Network interface to bind to.");
    static final Key<Integer> ROUTING_MARK =
            Key.of("routing_mark", MARK)
                    .otherwise(0)
                    .says("Netfilter mark of the packets, such as 255 or \"0xff\".");
    static final Key<Boolean> FAST_OPEN =
            Key.of("tcp_fast_open", Kind.FLAG)
                    .otherwise(false)
                    .says("Lets the first bytes travel with the SYN.");
    static final Key<Boolean> MULTI_PATH =
            Key.of("tcp_multi_path", Kind.FLAG)
                    .otherwise(false)
                    .says("Uses Multipath TCP where the kernel has it.");
    static final Key<Boolean> DISABLE_KEEP_ALIVE =
            Key.of("disable_tcp_keep_alive", Kind.FLAG)
                    .otherwise(false)
                    .says("Switches TCP keep-alive off.");
    static final Key<Duration> KEEP_ALIVE =
            Key.of("tcp_keep_alive", Kind.DURATION)
                    .otherwise(Duration.ofMinutes(5))
                    .says("Silence before the first keep-alive probe; \"5m\" if left out.");
    static final Key<Duration> KEEP_ALIVE_INTERVAL =
            Key.of("tcp_keep_alive_interval", Kind.DURATION)
                    .otherwise(Duration.ofSeconds(75))
                    .says("Time between keep-alive probes; \"75s\" if left out.");

    private SocketKeys() {}

    /// Seconds of silence before the first probe, 0 for none at all.
    static int keepAliveIdleSeconds(Fields fields) {
        return fields.getOr(DISABLE_KEEP_ALIVE, false) ? 0 : seconds(fields, KEEP_ALIVE);
    }

    /// Whole seconds from 1 to what the kernel takes (32,767).
    static int seconds(Fields fields, Key<Duration> key) {
        long seconds = fields.getOr(key, Duration.ofSeconds(1)).toSeconds();
        if (seconds < 1 || seconds > Short.MAX_VALUE) {
            fields.refuse(key, "the kernel takes from 1 s to 9 h here", null);
            return 1;
        }
        return (int) seconds;
    }

    /// The mark, 0 where there is none.
    static int markOrZero(Fields fields) {
        return fields.getOr(ROUTING_MARK, 0);
    }

    private static Integer mark(Scalar scalar) {
        String text = scalar.text();
        if (scalar.type() == Scalar.Type.TEXT && text.matches("0[xX][0-9a-fA-F]{1,8}")) {
            return Integer.parseUnsignedInt(text, 2, text.length(), 16);
        }
        Scalar number =
                scalar.type() == Scalar.Type.TEXT && text.matches("[0-9]{1,10}")
                        ? new Scalar(scalar.place(), Scalar.Type.NUMBER, text, scalar.source())
                        : scalar;
        return (int) Kind.number(number, 0, 0xffff_ffffL, "a mark (0 to 0xffffffff)");
    }
}
