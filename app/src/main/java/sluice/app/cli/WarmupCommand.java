package sluice.app.cli;

import java.io.IOException;
import java.util.List;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.log.Log;
import sluice.app.probe.Exercise;
import sluice.app.probe.ProbeStream;
import sluice.app.probe.Prober;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;

/// `sluice warmup`: does what a start and a few flows do, and ends. For the build, which lets the
/// JVM watch and write down what a start needs.
final class WarmupCommand implements Command {

    private static final long TIMEOUT_MILLIS = 5000;

    private final Doors doors;

    WarmupCommand(Doors doors) {
        this.doors = doors;
    }

    @Override
    public String help() {
        return """
        sluice warmup

        Reads a small configuration, moves traffic through loopback for some seconds, and ends. The
        build uses it to make the start-up cache.

        Example:
          sluice warmup
        """;
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public int run(Arguments arguments, Console console) throws IOException {
        arguments.noWords();
        System.getLogger("sluice.config").log(System.Logger.Level.INFO, "warming up");
        Configuration configuration = Configurations.builtIn();
        try (Prober prober = Prober.open(configuration, doors.system(), doors::engine, null, null);
                Prober target =
                        Prober.open(configuration, doors.system(), doors::engine, null, null)) {
            for (int i = 0; i < 20; i++) {
                flow(prober, target.endpoint());
            }
            new Exercise(doors.system()).run(doors::engine, doors::engine);
        } finally {
            Log.close();
        }
        console.out().println("warm");
        return DONE;
    }

    /// Through one engine into the other one, which answers the greeting of SOCKS.
    private static void flow(Prober prober, Endpoint target) throws IOException {
        try (ProbeStream stream = prober.connect(Destination.of(target), TIMEOUT_MILLIS)) {
            stream.send(new byte[] {5, 1, 0});
            if (stream.receive(new byte[16]) != 2) {
                throw new IOException("loopback does not answer");
            }
        }
    }
}
