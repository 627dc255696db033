package sluice.lab.engine;

import java.util.List;
import java.util.Map;

/// Sluice itself, as it is shipped.
final class Sluice implements Engine {

    @Override
    public String name() {
        return "sluice";
    }

    @Override
    public List<String> programs() {
        return List.of("sluice");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("version");
    }

    @Override
    public String howToGet() {
        return "it is what runs this lab; ./sluice build makes it";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return switch (protocol) {
            case FORWARD -> role == Role.CLIENT;
            case SOCKS, HTTP -> true;
            case SS_NONE, SS_AES128, SS_CHACHA -> true;
            case SS22_AES128, SS22_AES256, SS22_CHACHA -> true;
            default -> false;
        };
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        return new Launch(
                Map.of("config.json", SingBoxDialect.text(wiring, role)),
                List.of("sluice", "run", "-c", "config.json"));
    }
}
