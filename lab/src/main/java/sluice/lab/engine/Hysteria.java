package sluice.lab.engine;

import java.util.List;
import java.util.Map;
import sluice.lab.json.Json;

/// hysteria (apernet), version 2.
final class Hysteria implements Engine {

    private static final String HOST = "127.0.0.1:";

    @Override
    public String name() {
        return "hysteria";
    }

    @Override
    public List<String> programs() {
        return List.of("hysteria");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("version");
    }

    @Override
    public String howToGet() {
        return "https://github.com/apernet/hysteria/releases";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return protocol == Protocol.HYSTERIA2;
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        String config =
                Json.write(
                        role == Role.CLIENT
                                ? Json.object(
                                        "server",
                                        HOST + wiring.server(),
                                        "auth",
                                        Wiring.PASSWORD,
                                        "tls",
                                        Json.object(
                                                "sni",
                                                Wiring.SERVER_NAME,
                                                "ca",
                                                wiring.certificate()),
                                        "tcpForwarding",
                                        wiring.forwards().stream()
                                                .map(each ->
                                                        Json.object(
                                                                "listen",
                                                                HOST + each.listen(),
                                                                "remote",
                                                                HOST + each.target()))
                                                .toList())
                                : Json.object(
                                        "listen",
                                        HOST + wiring.server(),
                                        "auth",
                                        Json.object(
                                                "type", "password", "password", Wiring.PASSWORD),
                                        "tls",
                                        Json.object(
                                                "cert",
                                                wiring.certificate(),
                                                "key",
                                                wiring.key())));
        return new Launch(
                Map.of("config.json", config),
                List.of(
                        "hysteria",
                        role == Role.CLIENT ? "client" : "server",
                        "-l",
                        "error",
                        "-c",
                        "config.json"));
    }
}
