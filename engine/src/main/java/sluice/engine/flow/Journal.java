package sluice.engine.flow;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Timer;

/// What a loop tells the operator: one line per flow at its end, and repeated troubles folded into
/// one line per minute with a count. Owned by the loop.
public final class Journal {

    private static final System.Logger FLOWS = System.getLogger("sluice.flow");
    private static final System.Logger TROUBLES = System.getLogger("sluice.engine");

    /// One line a minute for each kind of trouble.
    private static final long INTERVAL_NANOS = 60_000_000_000L;

    /// Kinds of trouble kept apart; beyond that they are one kind, so that a stranger cannot fill
    /// memory.
    private static final int KINDS = 64;

    private static final class Tally {
        final Level level;
        int count;
        String last;

        Tally(Level level, String last) {
            this.level = level;
            this.last = last;
        }
    }

    private final Loop loop;
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private final Timer interval =
            new Timer() {
                @Override
                protected void onTimer(long nowNanos) {
                    tellFolded();
                }
            };

    Journal(Loop loop) {
        this.loop = loop;
    }

    /// Whether flows are logged at all; building the line is not free.
    boolean tellsFlows() {
        return FLOWS.isLoggable(Level.DEBUG);
    }

    void flow(String line) {
        FLOWS.log(Level.DEBUG, line);
    }

    /// Something went wrong that may happen a thousand times a second: the first is told at once,
    /// the rest once per interval.
    ///
    /// @param kind what repeats, without what differs from case to case
    /// @param detail the present case
    public void trouble(Level level, String kind, String detail) {
        Tally tally = tallies.get(kind);
        if (tally == null) {
            String key = tallies.size() < KINDS ? kind : "other troubles";
            tally = tallies.get(key);
            if (tally == null) {
                tallies.put(key, new Tally(level, detail));
                TROUBLES.log(level, detail.isEmpty() ? kind : kind + ": " + detail);
                if (tallies.size() == 1) {
                    loop.timers().set(interval, loop.nowNanos() + INTERVAL_NANOS);
                }
                return;
            }
        }
        tally.count++;
        tally.last = detail;
    }

    private void tellFolded() {
        tallies.forEach((kind, tally) -> {
            if (tally.count > 0) {
                String last = tally.last.isEmpty() ? "" : ", last: " + tally.last;
                TROUBLES.log(
                        tally.level, kind + ": " + tally.count + " more in the last minute" + last);
            }
        });
        boolean quiet = tallies.values().stream().allMatch(tally -> tally.count == 0);
        if (quiet) {
            tallies.clear();
        } else {
            tallies.values().removeIf(tally -> tally.count == 0);
            tallies.values().forEach(tally -> tally.count = 0);
            loop.timers().set(interval, loop.nowNanos() + INTERVAL_NANOS);
        }
    }
}
