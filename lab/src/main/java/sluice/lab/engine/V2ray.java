package sluice.lab.engine;

import java.util.List;
import java.util.Map;
import sluice.lab.json.Json;

/// v2ray (v2fly), the 4.x that Debian has.
final class V2ray implements Engine {

    private static final V2rayDialect DIALECT = new V2rayDialect("tcp", Json.object());

    @Override
    public String name() {
        return "v2ray";
    }

    @Override
    public List<String> programs() {
        return List.of("v2ray");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("-version");
    }

    @Override
    public String howToGet() {
        return "apt install v2ray";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return switch (protocol) {
            case FORWARD -> role == Role.CLIENT;
            // As a client it takes the name from 4.38 on, and encrypts before that.
            case VMESS_ZERO -> false;
            case SS22_AES128, SS22_AES256, SS22_CHACHA -> false;
            case VLESS_XTLS_DIRECT, VLESS_XTLS_ORIGIN -> false;
            case ANYTLS, HYSTERIA2, TUIC -> false;
            default -> true;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        return new Launch(
                Map.of("config.json", DIALECT.text(wiring, role)),
                List.of("v2ray", "-config", "config.json"));
    }
}
