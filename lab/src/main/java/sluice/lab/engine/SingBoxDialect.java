package sluice.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// The configuration that sing-box and Sluice share. Only names and credentials; everything else is
/// left at its default.
final class SingBoxDialect {

    private static final String HOST = "127.0.0.1";

    private SingBoxDialect() {}

    /// A whole configuration.
    static String text(Wiring wiring, Role role) {
        return Json.write(role == Role.CLIENT ? client(wiring) : server(wiring));
    }

    private static Map<String, @Nullable Object> client(Wiring wiring) {
        List<Object> inbounds = new ArrayList<>();
        for (Wiring.Forward forward : wiring.forwards()) {
            inbounds.add(
                    Json.object(
                            "type",
                            "direct",
                            "tag",
                            "in" + forward.listen(),
                            "listen",
                            HOST,
                            "listen_port",
                            forward.listen(),
                            "override_address",
                            HOST,
                            "override_port",
                            forward.target()));
        }
        return Json.object(
                "log",
                Json.object("level", "error"),
                "inbounds",
                inbounds,
                "outbounds",
                List.of(outbound(wiring)));
    }

    private static Map<String, @Nullable Object> server(Wiring wiring) {
        return Json.object(
                "log",
                Json.object("level", "error"),
                "inbounds",
                List.of(inbound(wiring)),
                "outbounds",
                List.of(Json.object("type", "direct", "tag", "direct")));
    }

    private static Map<String, @Nullable Object> outbound(Wiring wiring) {
        if (wiring.protocol() == Protocol.FORWARD) {
            return Json.object("type", "direct", "tag", "out");
        }
        Map<String, @Nullable Object> out =
                Json.object(
                        "type",
                        type(wiring.protocol()),
                        "tag",
                        "out",
                        "server",
                        HOST,
                        "server_port",
                        wiring.server());
        out.putAll(credentials(wiring.protocol()));
        if (usesTls(wiring.protocol())) {
            out.put(
                    "tls",
                    Json.object(
                            "enabled",
                            true,
                            "server_name",
                            Wiring.SERVER_NAME,
                            "certificate_path",
                            wiring.certificate(),
                            "alpn",
                            alpn(wiring.protocol())));
        }
        addTransport(out, wiring.protocol());
        return out;
    }

    private static Map<String, @Nullable Object> inbound(Wiring wiring) {
        Protocol protocol = wiring.protocol();
        Map<String, @Nullable Object> in =
                Json.object(
                        "type",
                        type(protocol),
                        "tag",
                        "in",
                        "listen",
                        HOST,
                        "listen_port",
                        wiring.server());
        Map<String, @Nullable Object> user = credentials(protocol);
        user.remove("security");
        switch (type(protocol)) {
            case "shadowsocks" -> in.putAll(user);
            case "socks", "http" -> {}
            default -> {
                Object congestion = user.remove("congestion_control");
                if (congestion != null) {
                    in.put("congestion_control", congestion);
                }
                in.put("users", List.of(user));
            }
        }
        if (usesTls(protocol)) {
            in.put(
                    "tls",
                    Json.object(
                            "enabled",
                            true,
                            "server_name",
                            Wiring.SERVER_NAME,
                            "certificate_path",
                            wiring.certificate(),
                            "key_path",
                            wiring.key(),
                            "alpn",
                            alpn(protocol)));
        }
        addTransport(in, protocol);
        return in;
    }

    private static void addTransport(Map<String, @Nullable Object> to, Protocol protocol) {
        switch (protocol) {
            case VMESS_WS_TLS -> to.put("transport", Json.object("type", "ws", "path", "/lab"));
            case VMESS_H2_TLS -> to.put("transport", Json.object("type", "http", "path", "/lab"));
            default -> {}
        }
    }

    private static @Nullable List<String> alpn(Protocol protocol) {
        return protocol.overDatagrams() ? List.of("h3") : null;
    }

    private static boolean usesTls(Protocol protocol) {
        return switch (protocol) {
            case VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS, VLESS_TLS, TROJAN -> true;
            case ANYTLS, HYSTERIA2, TUIC -> true;
            default -> false;
        };
    }

    private static String type(Protocol protocol) {
        return switch (protocol) {
            case SOCKS -> "socks";
            case HTTP -> "http";
            case SS_NONE, SS_AES128, SS_CHACHA, SS22_AES128, SS22_AES256, SS22_CHACHA ->
                    "shadowsocks";
            case VMESS_NONE, VMESS_ZERO, VMESS_AES128, VMESS_CHACHA -> "vmess";
            case VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS -> "vmess";
            case VLESS, VLESS_TLS -> "vless";
            case TROJAN, TROJAN_PLAIN -> "trojan";
            case ANYTLS -> "anytls";
            case HYSTERIA2 -> "hysteria2";
            case TUIC -> "tuic";
            default -> throw new IllegalArgumentException(protocol.id());
        };
    }

    /// What a client says of itself; most of it is also how a server names its user.
    private static Map<String, @Nullable Object> credentials(Protocol protocol) {
        return switch (type(protocol)) {
            case "shadowsocks" ->
                    Json.object(
                            "method",
                            Shadowsocks.method(protocol),
                            "password",
                            protocol == Protocol.SS_NONE ? null : Shadowsocks.password(protocol));
            case "vmess" ->
                    Json.object(
                            "uuid",
                            Wiring.UUID,
                            "security",
                            switch (protocol) {
                                case VMESS_ZERO -> "zero";
                                case VMESS_AES128 -> "aes-128-gcm";
                                case VMESS_CHACHA -> "chacha20-poly1305";
                                default -> "none";
                            });
            case "vless" -> Json.object("uuid", Wiring.UUID);
            case "trojan", "anytls", "hysteria2" -> Json.object("password", Wiring.PASSWORD);
            case "tuic" -> Json.object("uuid", Wiring.UUID, "password", Wiring.PASSWORD);
            default -> Json.object();
        };
    }
}
