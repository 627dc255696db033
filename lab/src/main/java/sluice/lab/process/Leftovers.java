package sluice.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Finds what a lab left running that was killed and could end nothing. Every child carries a mark
/// in its environment that names its lab, so that children of children are found wherever they
/// went, and nothing else ever is.
public final class Leftovers {

    static final String VARIABLE = "SLUICE_LAB_CHILD";

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final String SPACE = space();
    private static final String LAB = markOf(ProcessHandle.current().pid());

    private Leftovers() {}

    /// A mark for one more child.
    static String nextMark() {
        return LAB + "/" + NUMBERS.incrementAndGet();
    }

    /// Ends all children of labs that no longer run.
    ///
    /// @return how many processes that were
    public static int end() {
        List<Proc.Stat> left =
                Proc.all().values().stream()
                        .filter(each -> each.runs() && isOrphan(each.pid()))
                        .toList();
        left.forEach(
                each -> ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly));
        return left.size();
    }

    private static boolean isOrphan(long pid) {
        String mark = Proc.variable(pid, VARIABLE);
        if (mark == null || !mark.startsWith(SPACE + "/")) {
            return false;
        }
        String lab = mark.substring(0, mark.lastIndexOf('/'));
        String[] parts = lab.split("/");
        return parts.length == 3
                && parts[1].matches("[0-9]{1,18}")
                && !markOf(Long.parseLong(parts[1])).equals(lab);
    }

    /// The same process id means another process in another container or after its number came
    /// round.
    private static String markOf(long pid) {
        Proc.Stat stat = Proc.stat(pid);
        boolean runs = stat != null && stat.runs();
        return SPACE + "/" + pid + "/" + (stat != null && runs ? stat.start() : "ended");
    }

    private static String space() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException unseen) {
            return "here";
        }
    }
}
