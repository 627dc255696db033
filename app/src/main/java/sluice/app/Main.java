package sluice.app;

import java.util.List;
import sluice.app.cli.Commands;
import sluice.app.cli.Console;
import sluice.app.cli.Doors;
import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.engine.plan.Plan;

/// Where the process begins.
public final class Main {

    private Main() {}

    /// Runs one command and ends the process with its exit code; without one, says what there is.
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("run")) {
            Hangups.take(Server.systemFor());
        }
        int code = 1;
        try {
            code = new Commands(new ProcessDoors()).run(List.of(arguments), Console.ofProcess());
        } catch (RuntimeException | Error failure) {
            // Loops may run on other threads, which would keep the process.
            failure.printStackTrace(System.err);
        }
        System.out.flush();
        System.exit(code);
    }

    private record ProcessDoors() implements Doors {

        @Override
        public int serve(Configuration configuration, ConfigurationSource source) {
            return Server.run(configuration, source);
        }

        @Override
        public OperatingSystem system() {
            return Server.systemFor();
        }

        @Override
        public Engine engine(Configuration configuration) {
            return Server.engineFor(configuration, Server.systemFor());
        }

        @Override
        public Engine engine(Configuration configuration, Plan plan) {
            return Server.engineFor(configuration, plan, Server.systemFor());
        }
    }
}
