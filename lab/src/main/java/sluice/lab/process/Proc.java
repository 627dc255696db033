package sluice.lab.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What /proc says of processes. A process that ends while it is read counts as ended.
final class Proc {

    /// Clock ticks per second in /proc: `USER_HZ`, 100 on every architecture Java 25 runs on.
    static final double TICKS_PER_SECOND = 100;

    private static final Path ROOT = Path.of("/proc");

    private Proc() {}

    /// A line of `/proc/PID/stat`, proc_pid_stat(5).
    ///
    /// @param pid its process id
    /// @param parent its parent's
    /// @param session its session's
    /// @param state one letter; Z has ended and waits for its parent
    /// @param ticks its own processor time and that of children it waited for
    /// @param start when it began, in ticks since the machine began
    record Stat(long pid, long parent, long session, char state, long ticks, long start) {
        boolean runs() {
            return state != 'Z' && state != 'X';
        }
    }

    /// One process, or null when there is no such.
    static @Nullable Stat stat(long pid) {
        String line = text(ROOT.resolve(pid + "/stat"));
        int end = line.lastIndexOf(')');
        if (end < 0) {
            return null;
        }
        // The fields behind the name, which may itself hold spaces and brackets; the first is
        // state.
        String[] fields = line.substring(end + 2).trim().split(" ");
        long ticks = 0;
        for (int i = 11; i <= 14; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return new Stat(
                pid,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[3]),
                fields[0].charAt(0),
                ticks,
                Long.parseLong(fields[19]));
    }

    /// All processes that run, by id.
    static Map<Long, Stat> all() {
        Map<Long, Stat> all = new LinkedHashMap<>();
        for (String name : names(ROOT)) {
            if (Character.isDigit(name.charAt(0))) {
                Stat stat = stat(Long.parseLong(name));
                if (stat != null) {
                    all.put(stat.pid(), stat);
                }
            }
        }
        return all;
    }

    /// A process, its descendants, and whoever is left in the session it began.
    static List<Stat> tree(long root) {
        Map<Long, Stat> all = all();
        Set<Long> within = new HashSet<>(Set.of(root));
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Stat each : all.values()) {
                if (each.session() == root || within.contains(each.parent())) {
                    grew |= within.add(each.pid());
                }
            }
        }
        return all.values().stream().filter(each -> within.contains(each.pid())).toList();
    }

    /// Processes whose environment had a variable with this value when they began.
    static List<Stat> marked(String variable, String value) {
        List<Stat> found = new ArrayList<>();
        for (Stat each : all().values()) {
            String has = variable(each.pid(), variable);
            if (has != null && has.equals(value)) {
                found.add(each);
            }
        }
        return found;
    }

    /// A variable of a process's environment when it began, or null.
    static @Nullable String variable(long pid, String name) {
        for (String each : text(ROOT.resolve(pid + "/environ")).split("\0")) {
            if (each.startsWith(name + "=")) {
                return each.substring(name.length() + 1);
            }
        }
        return null;
    }

    /// A figure of `/proc/PID/status`, or 0.
    static long status(long pid, String key) {
        return figure(text(ROOT.resolve(pid + "/status")), key);
    }

    /// Context switches of all threads that a process has.
    static long contextSwitches(long pid) {
        long sum = 0;
        for (String thread : names(ROOT.resolve(pid + "/task"))) {
            String status = text(ROOT.resolve(pid + "/task/" + thread + "/status"));
            sum +=
                    figure(status, "voluntary_ctxt_switches")
                            + figure(status, "nonvoluntary_ctxt_switches");
        }
        return sum;
    }

    private static long figure(String status, String key) {
        for (String line : status.split("\n")) {
            if (line.startsWith(key + ":")) {
                return Long.parseLong(line.substring(key.length() + 1).trim().split("\\s")[0]);
            }
        }
        return 0;
    }

    /// Makes `VmHWM` begin anew at what is resident, proc_pid_clear_refs(5).
    static void clearPeak(long pid) {
        try {
            Files.writeString(ROOT.resolve(pid + "/clear_refs"), "5");
        } catch (IOException refused) {
            // The peak then counts from the start of the process.
        }
    }

    /// Inodes of the sockets a process has open, or null where that cannot be seen.
    static @Nullable Set<Long> sockets(long pid) {
        Path folder = ROOT.resolve(pid + "/fd");
        if (!Files.isReadable(folder)) {
            return null;
        }
        Set<Long> inodes = new HashSet<>();
        for (String name : names(folder)) {
            try {
                String target = Files.readSymbolicLink(folder.resolve(name)).toString();
                if (target.startsWith("socket:[")) {
                    inodes.add(Long.parseLong(target.substring(8, target.length() - 1)));
                }
            } catch (IOException closed) {
                // It was no listener then.
            }
        }
        return inodes;
    }

    /// The text of a file below /proc; empty when it is gone or may not be read. Numbers below
    /// /proc/sys come whole in the first read or not at all, so that this read is a large one.
    static String text(Path file) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] bytes = new byte[1 << 14];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(bytes); n > 0; n = in.read(bytes)) {
                text.write(bytes, 0, n);
            }
        } catch (IOException gone) {
            return "";
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static List<String> names(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(each -> names.add(String.valueOf(each.getFileName())));
        } catch (IOException | UncheckedIOException | DirectoryIteratorException gone) {
            return names;
        }
        return names;
    }
}
