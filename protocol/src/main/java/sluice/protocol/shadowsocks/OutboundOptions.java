package sluice.protocol.shadowsocks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Refusal;
import sluice.base.config.Secret;
import sluice.base.config.Shape;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.uot.UdpOverTcp;

/// Reads what an operator says of an outbound.
final class OutboundOptions {

    private static final Key<Host> SERVER =
            Key.of("server", Kind.HOST).required().says("Address or name of the server.");

    private static final Key<Integer> SERVER_PORT =
            Key.of("server_port", Kind.PORT).required().says("Port of the server.");

    private static final Key<Method> METHOD =
            Key.of("method", Method.KIND).required().says("Cipher and edition, the server's.");

    private static final Key<Secret> PASSWORD =
            Key.of("password", Kind.SECRET)
                    .says(
                            "Password, or keys in base64 (2022 methods): the server's, then each relay's, then"
                                    + " the user's, with colons between them.");

    private static final Key<List<String>> NETWORK =
            Key.list("network", Kind.choice("tcp", "udp"))
                    .otherwise(List.of("tcp", "udp"))
                    .says("What may go here.");

    private static final Key<String> PLUGIN =
            Key.of("plugin", Kind.TEXT).says("Program between us and the server (SIP003).");

    private static final Key<String> PLUGIN_OPTS =
            Key.of("plugin_opts", Kind.TEXT).otherwise("").says("Its options, as one text.");

    /// What an operator may say.
    static final Shape<ShadowsocksOutbound> SHAPE =
            Shape.of(
                    "shadowsocks outbound",
                    OutboundOptions::read,
                    SERVER,
                    SERVER_PORT,
                    METHOD,
                    PASSWORD,
                    NETWORK,
                    UdpOverTcp.KEY,
                    PLUGIN,
                    PLUGIN_OPTS,
                    Key.notYet("multiplex", true));

    private OutboundOptions() {}

    private static @Nullable ShadowsocksOutbound read(Fields fields) {
        Method method = fields.get(METHOD);
        Destination server = new Destination(fields.get(SERVER), fields.get(SERVER_PORT));
        List<String> network = fields.get(NETWORK);
        String plugin = fields.orNull(PLUGIN);
        if (!network.contains("tcp")) {
            fields.refuse(
                    NETWORK,
                    "datagrams alone cannot be asked for here",
                    "leave it out and choose by rules with \"network\"");
            return null;
        }
        Dialling dialling = null;
        if (method == Method.NONE) {
            if (fields.has(PASSWORD)) {
                fields.warn(PASSWORD, "has no effect with none", "remove it");
            }
        } else {
            dialling = diallingOrNull(fields, method);
            if (dialling == null) {
                return null;
            }
        }
        return new ShadowsocksOutbound(
                server,
                server,
                dialling,
                network.contains("udp"),
                fields.get(UdpOverTcp.KEY),
                plugin == null || plugin.isBlank() ? null : plugin,
                fields.get(PLUGIN_OPTS));
    }

    private static @Nullable Dialling diallingOrNull(Fields fields, Method method) {
        Secret password = fields.orNull(PASSWORD);
        String mend = method.is2022() ? "ask the server's operator for its key" : null;
        if (password == null || password.isEmpty()) {
            fields.refuse(PASSWORD, fields.has(PASSWORD) ? "is empty" : "needs a password", mend);
            return null;
        }
        if (!method.is2022()) {
            return new Dialling(
                    method, List.of(), Credential.ofPassword(method, null, password.reveal()));
        }
        String[] texts = password.reveal().split(":", -1);
        if (texts.length > 1 && !method.hasIdentities()) {
            fields.refuse(
                    PASSWORD,
                    texts.length
                            + " keys, but identity headers are AES blocks and "
                            + method
                            + " has none",
                    "give one key, or take an AES method on both sides");
            return null;
        }
        List<Credential> chain = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            String role = texts.length == 1 ? "the key" : "key " + (i + 1) + " of " + texts.length;
            try {
                chain.add(Credential.of(method, null, PreSharedKey.decode(method, texts[i], role)));
            } catch (Refusal refusal) {
                fields.refuse(PASSWORD, String.valueOf(refusal.getMessage()), refusal.mend());
            }
        }
        if (chain.size() < texts.length) {
            return null;
        }
        Credential user = chain.removeLast();
        return new Dialling(method, List.copyOf(chain), user);
    }
}
