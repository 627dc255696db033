package sluice.lab.engine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// shoes (cfal), as a server. Its file is YAML; JSON is YAML too.
final class Shoes implements Engine {

    @Override
    public String name() {
        return "shoes";
    }

    @Override
    public List<String> programs() {
        return List.of("shoes");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("--version");
    }

    @Override
    public String howToGet() {
        return "cargo install shoes (https://github.com/cfal/shoes)";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        if (role == Role.CLIENT) {
            return false;
        }
        return switch (protocol) {
            case SOCKS, HTTP, SS_AES128, SS_CHACHA -> true;
            case SS22_AES128, SS22_AES256, SS22_CHACHA -> true;
            case VMESS_AES128, VMESS_CHACHA -> true;
            case VLESS, VLESS_TLS, TROJAN_PLAIN, TROJAN, HYSTERIA2, TUIC -> true;
            default -> false;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        Map<String, @Nullable Object> server =
                Json.object(
                        "address", "127.0.0.1:" + wiring.server(), "protocol", protocol(wiring));
        if (wiring.protocol().overDatagrams()) {
            server.put("transport", "quic");
            server.put(
                    "quic_settings",
                    Json.object(
                            "cert",
                            wiring.certificate(),
                            "key",
                            wiring.key(),
                            "alpn_protocols",
                            List.of("h3")));
        }
        return new Launch(
                Map.of("config.yaml", Json.write(List.of(server))),
                List.of("shoes", "config.yaml"));
    }

    private static Map<String, @Nullable Object> protocol(Wiring wiring) {
        Map<String, @Nullable Object> bare = bare(wiring.protocol());
        return switch (wiring.protocol()) {
            case VLESS_TLS, TROJAN ->
                    Json.object(
                            "type",
                            "tls",
                            "sni_targets",
                            Json.object(
                                    Wiring.SERVER_NAME,
                                    Json.object(
                                            "cert",
                                            wiring.certificate(),
                                            "key",
                                            wiring.key(),
                                            "protocol",
                                            bare)));
            default -> bare;
        };
    }

    private static Map<String, @Nullable Object> bare(Protocol protocol) {
        return switch (protocol) {
            case SOCKS -> Json.object("type", "socks");
            case HTTP -> Json.object("type", "http");
            case VMESS_AES128, VMESS_CHACHA ->
                    Json.object("type", "vmess", "cipher", "any", "user_id", Wiring.UUID);
            case VLESS, VLESS_TLS -> Json.object("type", "vless", "user_id", Wiring.UUID);
            case TROJAN_PLAIN, TROJAN -> Json.object("type", "trojan", "password", Wiring.PASSWORD);
            case HYSTERIA2 -> Json.object("type", protocol.id(), "password", Wiring.PASSWORD);
            case TUIC ->
                    Json.object("type", "tuic", "uuid", Wiring.UUID, "password", Wiring.PASSWORD);
            default ->
                    Json.object(
                            "type",
                            "shadowsocks",
                            "cipher",
                            Shadowsocks.method(protocol),
                            "password",
                            Shadowsocks.password(protocol));
        };
    }
}
