package sluice.engine.loop;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import sluice.base.buf.BufBudget;
import sluice.base.buf.BufPool;
import sluice.base.fault.SystemFault;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.base.random.Entropy;
import sluice.base.time.Deadline;
import sluice.base.time.WallClock;
import sluice.protocol.spi.LoopServices;
import sluice.secure.crypto.Ciphers;

/// One thread, one poller, one wheel, one command queue. Everything that hangs on a loop is touched
/// by its thread alone; others send commands through [#execute].
public final class Loop {

    private static final System.Logger LOG = System.getLogger("sluice.loop");

    /// Resumed legs per turn: with 1 MiB each, a turn stays below about 10 ms.
    private static final int RESUMED_PER_TURN = 16;

    private final String name;
    private final OperatingSystem system;
    private final BufPool buffers;
    private final LoopServices services;
    private final LoopCounters counters = new LoopCounters();
    private final ReadyTable sockets = new ReadyTable();
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
    private final ArrayDeque<Resumable> unfinished = new ArrayDeque<>();
    private final ArrayDeque<Resumable> starved = new ArrayDeque<>();
    private final ArrayDeque<Shrinkable> holders = new ArrayDeque<>();
    private final Timer sweep = Timer.calling(this::sweep);
    private final Timer ebb = Timer.calling(_ -> buffers().ebb());
    private final TimerWheel timers;
    private final CountDownLatch open = new CountDownLatch(1);
    private final Thread thread;
    private @Nullable LoopDriver driver;
    private @Nullable Throwable openFailure;
    private long nowNanos;
    private boolean stopping;
    private int closing;

    /// Something that used up its share of a turn, or found no buffer, and goes on later.
    public interface Resumable {

        /// Goes on.
        void onResume(long nowNanos);
    }

    /// Makes a loop; [#start] runs it.
    ///
    /// @param index of this loop, for its name
    /// @param budget buffer memory, shared by all loops
    public Loop(
            int index, OperatingSystem system, BufBudget budget, Entropy entropy, WallClock wall) {
        this.name = "loop-" + index;
        this.system = system;
        this.buffers = new BufPool(budget);
        this.services = new LoopServices(buffers, entropy, wall, new Ciphers());
        this.nowNanos = System.nanoTime();
        this.timers = new TimerWheel(nowNanos, this::unexpected);
        this.thread = new Thread(null, this::run, name);
    }

    /// Starts the thread and waits until its driver is open.
    ///
    /// @throws SystemFault when the system does not let it open its driver
    /// @throws IllegalStateException when the driver cannot be opened for another reason
    public void start() {
        thread.start();
        try {
            open.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (openFailure instanceof SystemFault fault) {
            throw fault;
        }
        if (openFailure != null) {
            throw new IllegalStateException(
                    "cannot open " + system.name() + " for " + name, openFailure);
        }
    }

    private void run() {
        try (LoopDriver opened = system.openLoop()) {
            driver = opened;
            open.countDown();
            while (!stopping) {
                turn(opened);
            }
            sockets.endAll();
        } catch (RuntimeException | Error failure) {
            if (open.getCount() > 0) {
                openFailure = failure;
                open.countDown();
                return;
            }
            LOG.log(System.Logger.Level.ERROR, name + " died", failure);
            Runtime.getRuntime().halt(1);
        }
    }

    /// One turn; reads as the table of contents of this thread.
    private void turn(LoopDriver driver) {
        int ready = driver.await(nanosToWait());
        nowNanos = System.nanoTime();
        for (int i = 0; i < ready; i++) {
            serve(driver.token(i), driver.readiness(i));
        }
        runSoon();
        timers.fire(nowNanos);
        runCommands();
        resumeUnfinished();
        resumeStarved();
        runSoon();
        driver.flushDatagrams();
        if (buffers.keptBytes() > 0 && ebb.deadlineNanos() == Deadline.NONE) {
            timers.set(ebb, nowNanos + EBB_NANOS);
        }
    }

    private long nanosToWait() {
        if (!unfinished.isEmpty() || !commands.isEmpty() || !soon.isEmpty()) {
            return 0;
        }
        if (!starved.isEmpty()) {
            return STARVED_RETRY_NANOS;
        }
        return timers.nanosUntilNext(System.nanoTime());
    }

    /// 5 ms: how soon a leg that found no buffer asks again, since other loops may have freed some.
    private static final long STARVED_RETRY_NANOS = 5_000_000;

    private void serve(long token, int readiness) {
        Ready owner = sockets.find(token);
        if (owner == null) {
            return;
        }
        try {
            owner.onReady(readiness, nowNanos);
        } catch (RuntimeException | StackOverflowError | AssertionError unexpected) {
            unexpected(unexpected);
            endFailing(owner);
        }
    }

    /// Our own code failed: counts and logs it. The caller ends what failed.
    public void unexpected(Throwable failure) {
        counters.internalErrors++;
        LOG.log(System.Logger.Level.ERROR, "unexpected failure in " + name, failure);
    }

    private void endFailing(Object owner) {
        if (owner instanceof Failing failing) {
            guarded(() -> failing.onUnexpected(nowNanos));
        }
    }

    /// What must let go of its sockets when our own code failed in its midst.
    public interface Failing {

        /// Ends everything, without asking anybody.
        void onUnexpected(long nowNanos);
    }

    private void runCommands() {
        for (int i = 0; i < 1024; i++) {
            Runnable command = commands.poll();
            if (command == null) {
                return;
            }
            guarded(command);
        }
    }

    private void runSoon() {
        Runnable task;
        while ((task = soon.poll()) != null) {
            guarded(task);
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | StackOverflowError | AssertionError unexpected) {
            unexpected(unexpected);
        }
    }

    private void resumeUnfinished() {
        int most = Math.min(RESUMED_PER_TURN, unfinished.size());
        for (int i = 0; i < most; i++) {
            Resumable next = unfinished.poll();
            if (next != null) {
                resume(next);
            }
        }
    }

    private void resumeStarved() {
        int most = starved.size();
        for (int i = 0; i < most && !buffers.isSpent(); i++) {
            Resumable next = starved.poll();
            if (next != null) {
                resume(next);
            }
        }
    }

    private void resume(Resumable next) {
        try {
            next.onResume(nowNanos);
        } catch (RuntimeException | StackOverflowError | AssertionError unexpected) {
            unexpected(unexpected);
            endFailing(next);
        }
    }

    /// Reports readiness of `socket` to `owner` from now on. Returns the token for [#unregister],
    /// or a negated errno.
    public long register(int socket, Ready owner) {
        assert isCurrent();
        long token = sockets.add(owner);
        int result = driver().watch(socket, token);
        if (result < 0) {
            sockets.remove(token);
            return result;
        }
        return token;
    }

    /// Forgets a socket that was registered; call it just before or after closing it.
    public void unregister(long token) {
        assert isCurrent();
        sockets.remove(token);
    }

    /// Lets `owner` have the readiness of a socket that was registered for another.
    public void handOver(long token, Ready owner) {
        assert isCurrent();
        sockets.replace(token, owner);
    }

    /// Calls `holder` back in a moment, so that it moves what it still holds to smaller arrays.
    public void shrinkLater(Shrinkable holder) {
        holders.add(holder);
        if (holders.size() == 1) {
            timers.set(sweep, nowNanos + SWEEP_NANOS);
        }
    }

    /// Something that holds buffers larger than their content.
    public interface Shrinkable {

        /// Moves the content to smaller arrays where that helps.
        void onShrink(long nowNanos);
    }

    /// 20 ms: a busy leg has used its bytes up by then; an idle one holds a large array no longer
    /// than this.
    private static final long SWEEP_NANOS = 20_000_000;

    /// 4 s: buffers that were not needed for so long go back to the heap.
    private static final long EBB_NANOS = 4_000_000_000L;

    private void sweep(long now) {
        int most = holders.size();
        for (int i = 0; i < most; i++) {
            Shrinkable holder = holders.poll();
            if (holder != null) {
                holder.onShrink(now);
            }
        }
        if (!holders.isEmpty()) {
            timers.set(sweep, now + SWEEP_NANOS);
        }
    }

    /// Runs `command` on this loop, soon. Any thread.
    public void execute(Runnable command) {
        commands.add(command);
        LoopDriver present = driver;
        if (present != null && !isCurrent()) {
            present.wake();
        }
    }

    /// Runs `task` in this turn, after what is under way; for answers that must not come back into
    /// their caller.
    public void soon(Runnable task) {
        assert isCurrent();
        soon.add(task);
    }

    /// Goes on with `unfinished` in the next turn: it used up its share of this one.
    public void resumeLater(Resumable resumable) {
        unfinished.add(resumable);
    }

    /// Goes on with `resumable` when buffers are there again.
    public void resumeWithBuffers(Resumable resumable) {
        counters.starved++;
        starved.add(resumable);
    }

    /// Forgets what [#resumeLater] or [#resumeWithBuffers] was told.
    public void forget(Resumable resumable) {
        unfinished.remove(resumable);
        starved.remove(resumable);
    }

    /// A socket begins to close in order: its last bytes may take a while.
    public void closingBegins() {
        closing++;
    }

    /// The opposite of [#closingBegins].
    public void closingEnds() {
        closing--;
    }

    /// Sockets that are closing in order; on the loop's thread.
    public int closing() {
        return closing;
    }

    /// Ends the thread after the present turn, with everything that is registered, and waits for
    /// it.
    public void stop() {
        execute(() -> stopping = true);
        try {
            thread.join(2_000);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether the caller is this loop's thread.
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /// The system's door; only on the loop's thread.
    public LoopDriver driver() {
        LoopDriver present = driver;
        if (present == null) {
            throw new IllegalStateException(name + " is not open");
        }
        return present;
    }

    /// The loop's buffers.
    public BufPool buffers() {
        return buffers;
    }

    /// What machines of this loop share.
    public LoopServices services() {
        return services;
    }

    /// The loop's timers.
    public TimerWheel timers() {
        return timers;
    }

    /// The loop's counters.
    public LoopCounters counters() {
        return counters;
    }

    /// The time of this turn, in nanoseconds.
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public String toString() {
        return name;
    }
}
