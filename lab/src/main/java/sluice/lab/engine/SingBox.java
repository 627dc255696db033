package sluice.lab.engine;

import java.util.List;
import java.util.Map;

/// sing-box (SagerNet), 1.12 and newer.
final class SingBox implements Engine {

    @Override
    public String name() {
        return "sing-box";
    }

    @Override
    public List<String> programs() {
        return List.of("sing-box");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("version");
    }

    @Override
    public String howToGet() {
        return "https://github.com/SagerNet/sing-box/releases";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return switch (protocol) {
            case FORWARD -> role == Role.CLIENT;
            // Its SOCKS takes no TLS, and its Shadowsocks no transport.
            case SOCKS_TLS, SOCKS_UNIX, SS_NONE_TLS -> false;
            case VLESS_XTLS_DIRECT, VLESS_XTLS_ORIGIN -> false;
            default -> true;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        return new Launch(
                Map.of("config.json", SingBoxDialect.text(wiring, role)),
                List.of("sing-box", "run", "-c", "config.json"));
    }
}
