package sluice.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// mihomo (MetaCubeX), as a client. Its file is YAML; JSON is YAML too.
final class Mihomo implements Engine {

    private static final String HOST = "127.0.0.1";

    @Override
    public String name() {
        return "mihomo";
    }

    @Override
    public List<String> programs() {
        return List.of("mihomo");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("-v");
    }

    @Override
    public String howToGet() {
        return "https://github.com/MetaCubeX/mihomo/releases";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        if (role == Role.SERVER) {
            return false;
        }
        return switch (protocol) {
            case SOCKS_UNIX, SS_NONE_TLS, TROJAN_PLAIN -> false;
            case VLESS_XTLS_DIRECT, VLESS_XTLS_ORIGIN -> false;
            default -> true;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        Map<String, @Nullable Object> proxy = proxy(wiring);
        List<Object> tunnels = new ArrayList<>();
        for (Wiring.Forward forward : wiring.forwards()) {
            tunnels.add(
                    Json.object(
                            "network",
                            List.of("tcp", "udp"),
                            "address",
                            HOST + ":" + forward.listen(),
                            "target",
                            HOST + ":" + forward.target(),
                            "proxy",
                            proxy == null ? "DIRECT" : "out"));
        }
        Map<String, @Nullable Object> config =
                Json.object(
                        "log-level",
                        "error",
                        "mode",
                        "rule",
                        "ipv6",
                        false,
                        "geo-auto-update",
                        false,
                        "proxies",
                        proxy == null ? List.of() : List.of(proxy),
                        "tunnels",
                        tunnels,
                        "rules",
                        List.of("MATCH,DIRECT"));
        return new Launch(Map.of("config.yaml", Json.write(config)), List.of("mihomo", "-d", "."));
    }

    private static @Nullable Map<String, @Nullable Object> proxy(Wiring wiring) {
        Protocol protocol = wiring.protocol();
        if (protocol == Protocol.FORWARD) {
            return null;
        }
        Map<String, @Nullable Object> proxy =
                Json.object("name", "out", "server", HOST, "port", wiring.server());
        switch (protocol) {
            case SOCKS, SOCKS_TLS -> proxy.put("type", "socks5");
            case HTTP -> proxy.put("type", "http");
            case VMESS_NONE, VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS -> vmess(proxy, "none");
            case VMESS_ZERO -> vmess(proxy, "zero");
            case VMESS_AES128 -> vmess(proxy, "aes-128-gcm");
            case VMESS_CHACHA -> vmess(proxy, "chacha20-poly1305");
            case VLESS, VLESS_TLS ->
                    proxy.putAll(Json.object("type", "vless", "uuid", Wiring.UUID));
            case TROJAN, ANYTLS, HYSTERIA2 ->
                    proxy.putAll(Json.object("type", protocol.id(), "password", Wiring.PASSWORD));
            case TUIC ->
                    proxy.putAll(
                            Json.object(
                                    "type",
                                    "tuic",
                                    "uuid",
                                    Wiring.UUID,
                                    "password",
                                    Wiring.PASSWORD));
            default ->
                    proxy.putAll(
                            Json.object(
                                    "type",
                                    "ss",
                                    "cipher",
                                    Shadowsocks.method(protocol),
                                    "password",
                                    Shadowsocks.password(protocol)));
        }
        switch (protocol) {
            case VMESS_WS_TLS -> {
                proxy.put("network", "ws");
                proxy.put("ws-opts", Json.object("path", "/lab"));
            }
            case VMESS_H2_TLS -> {
                proxy.put("network", "h2");
                proxy.put(
                        "h2-opts",
                        Json.object("host", List.of(Wiring.SERVER_NAME), "path", "/lab"));
            }
            default -> {}
        }
        addTls(proxy, protocol);
        return proxy;
    }

    private static void vmess(Map<String, @Nullable Object> proxy, String cipher) {
        proxy.putAll(
                Json.object("type", "vmess", "uuid", Wiring.UUID, "alterId", 0, "cipher", cipher));
    }

    /// It trusts no certificate that a file names, so it is told not to look.
    private static void addTls(Map<String, @Nullable Object> proxy, Protocol protocol) {
        switch (protocol) {
            case SOCKS_TLS, VMESS_NONE_TLS, VMESS_WS_TLS, VMESS_H2_TLS, VLESS_TLS ->
                    proxy.put("tls", true);
            case TROJAN, ANYTLS -> {}
            case HYSTERIA2, TUIC -> proxy.put("alpn", List.of("h3"));
            default -> {
                return;
            }
        }
        proxy.put("skip-cert-verify", true);
        proxy.put("sni", Wiring.SERVER_NAME);
        proxy.put("servername", Wiring.SERVER_NAME);
    }
}
