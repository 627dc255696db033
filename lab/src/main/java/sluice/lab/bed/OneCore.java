package sluice.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Programs;

/// Engines that are started by `taskset` on one core, so that they see one from their beginning.
///
/// @param number which core
/// @param taskset the program
record OneCore(int number, Path taskset) {

    /// The last core that this process may use; empty where it has but one, where `taskset` is
    /// missing, or where it is not allowed.
    static Optional<OneCore> here() throws InterruptedException {
        try {
            Optional<Path> taskset = Programs.onPath("taskset");
            List<Integer> cores = allowed(Files.readString(Path.of("/proc/self/status")));
            if (taskset.isEmpty() || cores.size() < 2) {
                return Optional.empty();
            }
            OneCore core = new OneCore(cores.getLast(), taskset.get());
            return core.works() ? Optional.of(core) : Optional.empty();
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /// The cores in the line `Cpus_allowed_list` of proc_pid_status(5), such as `0-2,5`.
    static List<Integer> allowed(String status) {
        List<Integer> cores = new ArrayList<>();
        for (String line : status.split("\n")) {
            if (!line.startsWith("Cpus_allowed_list:")) {
                continue;
            }
            for (String range : line.substring(line.indexOf(':') + 1).trim().split(",")) {
                String[] ends = range.split("-");
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int core = Integer.parseInt(ends[0]); core <= last; core++) {
                    cores.add(core);
                }
            }
        }
        return cores;
    }

    private boolean works() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(taskset.toString(), "-c", number + "", "true")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /// The same engine, started on this core.
    Installed pin(Installed engine) {
        Map<String, Path> programs = new HashMap<>(engine.programs());
        programs.put("taskset", taskset);
        return new Installed(
                new Pinned(engine, number), programs, engine.version(), engine.sha256());
    }

    /// An engine with another command.
    private record Pinned(Installed installed, int core) implements Engine {

        @Override
        public String name() {
            return installed.name();
        }

        @Override
        public List<String> programs() {
            return installed.engine().programs();
        }

        @Override
        public List<String> versionArguments() {
            return installed.engine().versionArguments();
        }

        @Override
        public String howToGet() {
            return installed.engine().howToGet();
        }

        @Override
        public boolean speaks(Protocol protocol, Role role) {
            return installed.engine().speaks(protocol, role);
        }

        @Override
        public Launch launch(Wiring wiring, Role role) {
            Launch launch = installed.engine().launch(wiring, role);
            List<String> command = new ArrayList<>(launch.command());
            Path program = installed.programs().get(command.getFirst());
            if (program != null) {
                command.set(0, program.toString());
            }
            command.addAll(0, List.of("taskset", "-c", core + ""));
            return new Launch(launch.files(), command);
        }
    }
}
