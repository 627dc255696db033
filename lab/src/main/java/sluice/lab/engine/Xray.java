package sluice.lab.engine;

import java.util.List;
import java.util.Map;
import sluice.lab.json.Json;

/// Xray (XTLS), 25 and newer.
final class Xray implements Engine {

    /// Without this rule it lets nobody through to addresses of this machine.
    private static final V2rayDialect DIALECT =
            new V2rayDialect(
                    "raw", Json.object("finalRules", List.of(Json.object("action", "allow"))));

    @Override
    public String name() {
        return "xray";
    }

    @Override
    public List<String> programs() {
        return List.of("xray");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("version");
    }

    @Override
    public String howToGet() {
        return "https://github.com/XTLS/Xray-core/releases";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return switch (protocol) {
            case FORWARD -> role == Role.CLIENT;
            // It gave up Unix sockets as a transport of their own, and HTTP/2.
            case SOCKS_UNIX, VMESS_H2_TLS -> false;
            // It takes these names and encrypts all the same.
            case VMESS_NONE, VMESS_ZERO, VMESS_NONE_TLS, VMESS_WS_TLS -> false;
            // Of Shadowsocks without a cipher it only has the outbound.
            case SS_NONE, SS_NONE_TLS -> false;
            case VLESS_XTLS_DIRECT, VLESS_XTLS_ORIGIN -> false;
            case ANYTLS, HYSTERIA2, TUIC -> false;
            default -> true;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        return new Launch(
                Map.of("config.json", DIALECT.text(wiring, role)),
                List.of("xray", "run", "-c", "config.json"));
    }
}
