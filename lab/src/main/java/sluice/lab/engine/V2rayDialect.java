package sluice.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// The configuration that v2ray and Xray share, with the few names in which they differ.
///
/// @param rawNetwork what a plain TCP transport is called
/// @param freedom settings of the outbound that goes out directly
record V2rayDialect(String rawNetwork, Map<String, @Nullable Object> freedom) {

    private static final String HOST = "127.0.0.1";

    String text(Wiring wiring, Role role) {
        return Json.write(role == Role.CLIENT ? client(wiring) : server(wiring));
    }

    private Map<String, @Nullable Object> client(Wiring wiring) {
        List<Object> inbounds = new ArrayList<>();
        for (Wiring.Forward forward : wiring.forwards()) {
            inbounds.add(
                    Json.object(
                            "listen",
                            HOST,
                            "port",
                            forward.listen(),
                            "protocol",
                            "dokodemo-door",
                            "settings",
                            Json.object(
                                    "address",
                                    HOST,
                                    "port",
                                    forward.target(),
                                    "network",
                                    "tcp,udp")));
        }
        return Json.object(
                "log",
                Json.object("access", "none", "loglevel", "error"),
                "inbounds",
                inbounds,
                "outbounds",
                List.of(outbound(wiring)));
    }

    private Map<String, @Nullable Object> server(Wiring wiring) {
        // Over a Unix socket the port means nothing, and must be there.
        Map<String, @Nullable Object> inbound =
                Json.object("listen", HOST, "port", wiring.server());
        inbound.put("protocol", name(wiring.protocol()));
        inbound.put("settings", inboundSettings(wiring.protocol()));
        Map<String, @Nullable Object> tls =
                Json.object(
                        "certificates",
                        List.of(
                                Json.object(
                                        "certificateFile",
                                        wiring.certificate(),
                                        "keyFile",
                                        wiring.key())));
        inbound.put("streamSettings", stream(wiring, tls));
        return Json.object(
                "log",
                Json.object("access", "none", "loglevel", "error"),
                "inbounds",
                List.of(inbound),
                "outbounds",
                List.of(Json.object("protocol", "freedom", "settings", freedom)));
    }

    private Map<String, @Nullable Object> outbound(Wiring wiring) {
        Protocol protocol = wiring.protocol();
        if (protocol == Protocol.FORWARD) {
            return Json.object("protocol", "freedom", "settings", freedom);
        }
        Map<String, @Nullable Object> tls =
                Json.object(
                        "serverName",
                        Wiring.SERVER_NAME,
                        "certificates",
                        List.of(
                                Json.object(
                                        "usage",
                                        "verify",
                                        "certificateFile",
                                        wiring.certificate())));
        return Json.object(
                "protocol",
                name(protocol),
                "settings",
                outboundSettings(wiring),
                "streamSettings",
                stream(wiring, tls));
    }

    private static String name(Protocol protocol) {
        return switch (protocol) {
            case SOCKS, SOCKS_TLS, SOCKS_UNIX -> "socks";
            case HTTP -> "http";
            case SS_NONE, SS_NONE_TLS, SS_AES128, SS_CHACHA -> "shadowsocks";
            case SS22_AES128, SS22_AES256, SS22_CHACHA -> "shadowsocks";
            case VMESS_NONE, VMESS_ZERO, VMESS_AES128, VMESS_CHACHA -> "vmess";
            case VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS -> "vmess";
            case VLESS, VLESS_TLS -> "vless";
            case TROJAN_PLAIN, TROJAN -> "trojan";
            default -> throw new IllegalArgumentException(protocol.id());
        };
    }

    private static Map<String, @Nullable Object> inboundSettings(Protocol protocol) {
        return switch (name(protocol)) {
            case "socks" -> Json.object("auth", "noauth");
            case "shadowsocks" ->
                    Json.object(
                            "method",
                            Shadowsocks.method(protocol),
                            "password",
                            Shadowsocks.password(protocol),
                            "network",
                            "tcp");
            case "vmess" -> Json.object("clients", List.of(Json.object("id", Wiring.UUID)));
            case "vless" ->
                    Json.object(
                            "clients",
                            List.of(Json.object("id", Wiring.UUID)),
                            "decryption",
                            "none");
            case "trojan" ->
                    Json.object("clients", List.of(Json.object("password", Wiring.PASSWORD)));
            default -> Json.object();
        };
    }

    private static Map<String, @Nullable Object> outboundSettings(Wiring wiring) {
        Protocol protocol = wiring.protocol();
        Map<String, @Nullable Object> server =
                Json.object("address", HOST, "port", wiring.server());
        String list = "servers";
        switch (name(protocol)) {
            case "shadowsocks" -> {
                server.put("method", Shadowsocks.method(protocol));
                server.put("password", Shadowsocks.password(protocol));
            }
            case "trojan" -> server.put("password", Wiring.PASSWORD);
            case "vmess" -> {
                list = "vnext";
                String security =
                        switch (protocol) {
                            case VMESS_ZERO -> "zero";
                            case VMESS_AES128 -> "aes-128-gcm";
                            case VMESS_CHACHA -> "chacha20-poly1305";
                            default -> "none";
                        };
                server.put("users", List.of(Json.object("id", Wiring.UUID, "security", security)));
            }
            case "vless" -> {
                list = "vnext";
                server.put("users", List.of(Json.object("id", Wiring.UUID, "encryption", "none")));
            }
            default -> {}
        }
        return Json.object(list, List.of(server));
    }

    private Map<String, @Nullable Object> stream(Wiring wiring, Map<String, @Nullable Object> tls) {
        Map<String, @Nullable Object> stream = Json.object();
        switch (wiring.protocol()) {
            case SOCKS_UNIX -> {
                stream.put("network", "domainsocket");
                stream.put("dsSettings", Json.object("path", wiring.socket()));
            }
            case VMESS_WS_TLS -> {
                stream.put("network", "ws");
                stream.put("wsSettings", Json.object("path", "/lab"));
            }
            case VMESS_H2_TLS -> {
                stream.put("network", "http");
                stream.put(
                        "httpSettings",
                        Json.object("host", List.of(Wiring.SERVER_NAME), "path", "/lab"));
            }
            default -> stream.put("network", rawNetwork);
        }
        switch (wiring.protocol()) {
            case SOCKS_TLS, SS_NONE_TLS, VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS -> {
                stream.put("security", "tls");
                stream.put("tlsSettings", tls);
            }
            case VLESS_TLS, TROJAN -> {
                stream.put("security", "tls");
                stream.put("tlsSettings", tls);
            }
            default -> {}
        }
        return stream;
    }
}
