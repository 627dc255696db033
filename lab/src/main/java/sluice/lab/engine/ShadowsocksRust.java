package sluice.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import sluice.lab.json.Json;

/// shadowsocks-rust: `sslocal` and `ssserver`.
final class ShadowsocksRust implements Engine {

    private static final String HOST = "127.0.0.1";

    @Override
    public String name() {
        return "shadowsocks-rust";
    }

    @Override
    public List<String> programs() {
        return List.of("sslocal", "ssserver");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("--version");
    }

    @Override
    public String howToGet() {
        return "https://github.com/shadowsocks/shadowsocks-rust/releases";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return Shadowsocks.is(protocol);
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        String method = Shadowsocks.method(wiring.protocol());
        String password = Shadowsocks.password(wiring.protocol());
        if (role == Role.SERVER) {
            String config =
                    Json.write(
                            Json.object(
                                    "server",
                                    HOST,
                                    "server_port",
                                    wiring.server(),
                                    "method",
                                    method,
                                    "password",
                                    password,
                                    "mode",
                                    "tcp_and_udp"));
            return new Launch(
                    Map.of("config.json", config), List.of("ssserver", "-c", "config.json"));
        }
        List<Object> locals = new ArrayList<>();
        for (Wiring.Forward forward : wiring.forwards()) {
            locals.add(
                    Json.object(
                            "protocol",
                            "tunnel",
                            "local_address",
                            HOST,
                            "local_port",
                            forward.listen(),
                            "forward_address",
                            HOST,
                            "forward_port",
                            forward.target(),
                            "mode",
                            "tcp_and_udp"));
        }
        String config =
                Json.write(
                        Json.object(
                                "locals",
                                locals,
                                "servers",
                                List.of(
                                        Json.object(
                                                "address",
                                                HOST,
                                                "port",
                                                wiring.server(),
                                                "method",
                                                method,
                                                "password",
                                                password))));
        return new Launch(Map.of("config.json", config), List.of("sslocal", "-c", "config.json"));
    }
}
