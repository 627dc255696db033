package sluice.lab.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;

/// An engine that is a line of shell.
///
/// @param name its name
/// @param script what it does
public record FakeEngine(String name, String script) implements Engine {

    /// Runs until it is told to end.
    public static Installed good(String name) {
        return installed(name, "exec sleep 300");
    }

    public static Installed installed(String name, String script) {
        FakeEngine engine = new FakeEngine(name, script);
        return new Installed(engine, Map.of("sh", Path.of("/bin/sh")), "1.0", "0" + name);
    }

    @Override
    public List<String> programs() {
        return List.of("sh");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("--version");
    }

    @Override
    public String howToGet() {
        return "apt install " + name;
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return protocol == Protocol.FORWARD;
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        return new Launch(Map.of("engine.conf", "name=" + name), List.of("sh", "-c", script));
    }
}
