package sluice.lab.engine;

import java.util.List;
import java.util.Map;

/// HAProxy, which only forwards. Splicing is off by default and stays so; the four timeouts are
/// those without which it warns.
final class Haproxy implements Engine {

    @Override
    public String name() {
        return "haproxy";
    }

    @Override
    public List<String> programs() {
        return List.of("haproxy");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("-v");
    }

    @Override
    public String howToGet() {
        return "apt install haproxy";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return protocol == Protocol.FORWARD && role == Role.CLIENT;
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        StringBuilder config =
                new StringBuilder(
                        """
                        defaults
                          mode tcp
                          timeout connect 10s
                          timeout client 5m
                          timeout server 5m
                        """);
        for (Wiring.Forward forward : wiring.forwards()) {
            config.append("listen forward").append(forward.listen()).append('\n');
            config.append("  bind 127.0.0.1:").append(forward.listen()).append('\n');
            config.append("  server target 127.0.0.1:").append(forward.target()).append('\n');
        }
        return new Launch(
                Map.of("haproxy.cfg", config.toString()), List.of("haproxy", "-f", "haproxy.cfg"));
    }
}
