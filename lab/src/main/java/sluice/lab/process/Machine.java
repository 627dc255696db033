package sluice.lab.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the machine is that is measured on, and what else it does. Linux; elsewhere less is known.
public final class Machine {

    /// Those that move figures of relays.
    private static final List<String> SYSCTLS =
            List.of(
                    "net.ipv4.tcp_congestion_control",
                    "net.ipv4.tcp_rmem",
                    "net.ipv4.tcp_wmem",
                    "net.core.rmem_max",
                    "net.core.wmem_max",
                    "net.core.default_qdisc",
                    "net.core.somaxconn",
                    "net.ipv4.ip_local_port_range",
                    "vm.overcommit_memory",
                    "fs.file-max");

    /// Above this share of the processor, others disturb what is measured.
    private static final double BUSY = 0.2;

    private Machine() {}

    /// How busy the machine is.
    ///
    /// @param average of one minute, as the kernel counts it
    /// @param busyShare of all cores, used by others than this lab, 0 to 1
    /// @param stolenShare of all cores, taken by the host of a virtual machine, 0 to 1
    public record Load(double average, double busyShare, double stolenShare) {

        /// Whether figures measured beside it are doubtful.
        public boolean busy() {
            return busyShare + stolenShare > BUSY;
        }

        /// As values of a log.
        public Map<String, @Nullable Object> toJson() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("load_average", average);
            json.put("busy_share", rounded(busyShare));
            json.put("stolen_share", rounded(stolenShare));
            json.put("busy", busy());
            return json;
        }

        private static double rounded(double share) {
            return Math.round(share * 1_000) / 1_000.0;
        }
    }

    /// CPU, cores, kernel, memory, settings: what stays the same between runs.
    public static Map<String, @Nullable Object> describe() {
        Map<String, @Nullable Object> machine = new LinkedHashMap<>();
        machine.put("cpu", cpu());
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("kernel", System.getProperty("os.name") + " " + kernel());
        machine.put("architecture", System.getProperty("os.arch"));
        machine.put("memory_mib", memoryKib() / 1024);
        machine.put("governor", governors());
        Map<String, @Nullable Object> sysctls = new LinkedHashMap<>();
        for (String name : SYSCTLS) {
            String value = text("/proc/sys/" + name.replace('.', '/')).replaceAll("\\s+", " ");
            if (!value.isEmpty()) {
                sysctls.put(name, value);
            }
        }
        machine.put("sysctls", sysctls);
        return machine;
    }

    /// Watches the machine for a while. Meant for moments in which the lab itself rests.
    public static Load load(Duration watched) throws InterruptedException {
        long[] before = ticks();
        long own = ownTicks();
        Thread.sleep(watched);
        long[] after = ticks();
        double total = Math.max(1, after[0] - before[0]);
        double busy = Math.max(0, after[1] - before[1] - (ownTicks() - own));
        String average = text("/proc/loadavg");
        return new Load(
                average.isEmpty() ? 0 : Double.parseDouble(average.split(" ")[0]),
                Math.min(1, busy / total),
                Math.min(1, (after[2] - before[2]) / total));
    }

    private static long ownTicks() {
        Proc.Stat stat = Proc.stat(ProcessHandle.current().pid());
        return stat == null ? 0 : stat.ticks();
    }

    /// All, busy and stolen ticks of all cores: the first line of /proc/stat, proc_stat(5).
    private static long[] ticks() {
        String line = text("/proc/stat");
        if (!line.startsWith("cpu ")) {
            return new long[3];
        }
        String[] fields = line.lines().findFirst().orElse("").trim().split("\\s+");
        // user nice system idle iowait irq softirq steal; guest time is part of user time.
        long all = 0;
        for (int i = 1; i <= 8; i++) {
            all += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        long stolen = Long.parseLong(fields[8]);
        return new long[] {all, all - idle - stolen, stolen};
    }

    private static String cpu() {
        for (String line : text("/proc/cpuinfo").split("\n")) {
            if (line.startsWith("model name") || line.startsWith("Model")) {
                return line.substring(line.indexOf(':') + 1).trim();
            }
        }
        return System.getProperty("os.arch", "");
    }

    private static String kernel() {
        return System.getProperty("os.version", "");
    }

    private static long memoryKib() {
        for (String line : text("/proc/meminfo").split("\n")) {
            if (line.startsWith("MemTotal:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    private static String governors() {
        TreeSet<String> governors = new TreeSet<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            governors.add(text("/sys/devices/system/cpu/cpu" + i + "/cpufreq/scaling_governor"));
        }
        governors.remove("");
        return governors.stream().collect(Collectors.joining(" "));
    }

    private static String text(String file) {
        return Proc.text(Path.of(file)).trim();
    }
}
