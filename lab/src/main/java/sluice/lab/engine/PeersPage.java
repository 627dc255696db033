package sluice.lab.engine;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import sluice.lab.process.Programs;

/// What `sluice lab peers` prints: which engines are here, what each can do, how to get the others.
public final class PeersPage {

    private static final Map<String, String> TOOLS =
            Map.of(
                    "iperf3", "the beds engine and ceiling need it; apt install iperf3",
                    "taskset",
                            "the ladder pins engines to one core with it; apt install util-linux");

    private PeersPage() {}

    /// Prints it.
    ///
    /// @param known all engines
    /// @param installed those of this machine
    /// @param unusable the name of an engine to why it cannot be used
    /// @param out where to
    public static void print(
            List<Engine> known,
            List<Installed> installed,
            Map<String, String> unusable,
            PrintStream out) {
        for (Installed each : installed) {
            out.printf("%s  %s%n", each.name(), each.version());
            for (Role role : Role.values()) {
                String spoken =
                        Arrays.stream(Protocol.values())
                                .filter(protocol -> each.engine().speaks(protocol, role))
                                .map(Protocol::id)
                                .collect(Collectors.joining(" "));
                if (!spoken.isEmpty()) {
                    out.printf("  %s: %s%n", role == Role.CLIENT ? "client" : "server", spoken);
                }
            }
        }
        unusable.forEach((name, why) -> out.printf("%s  cannot be used: %s%n", name, why));
        for (Engine engine : known) {
            boolean there =
                    unusable.containsKey(engine.name())
                            || installed.stream()
                                    .anyMatch(each -> each.name().equals(engine.name()));
            if (!there) {
                out.printf("%s  is missing: %s%n", engine.name(), engine.howToGet());
            }
        }
        TOOLS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(tool -> Programs.onPath(tool.getKey()).isEmpty())
                .forEach(
                        tool -> out.printf("%s  is missing: %s%n", tool.getKey(), tool.getValue()));
        out.println("engines are looked for in --peers DIR, then in $PEERS, then on PATH");
    }
}
