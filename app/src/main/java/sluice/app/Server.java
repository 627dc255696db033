package sluice.app;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.app.config.ProcessSettings;
import sluice.base.fault.ConfigFault;
import sluice.base.fault.SystemFault;
import sluice.base.os.OperatingSystem;
import sluice.engine.Engine;
import sluice.engine.EngineOptions;
import sluice.engine.dial.SystemResolver;
import sluice.engine.plan.Plan;
import sluice.linux.LinuxSystem;
import sluice.policy.limit.LimitOptions;
import sluice.portable.PortableSystem;

/// A running process: an engine that follows a configuration until a signal says otherwise. HUP
/// reloads, INT and TERM stop; a second one stops at once.
public final class Server {

    private static final System.Logger LOG = System.getLogger("sluice.server");

    /// Files that the process needs for itself: logs, configuration files, epoll, pipes, libraries.
    private static final int FILES_FOR_OURSELVES = 128;

    /// How often the heap is looked at, at rest and while it grows. A flood of short connections
    /// fills 10 MiB a second with what outlived the young generation.
    private static final long HEAP_SECONDS = 5;

    private static final long GROWING_HEAP_SECONDS = 1;

    private final OperatingSystem system;
    private final Engine engine;
    private final ConfigurationSource source;
    private final Orders orders;
    private final HeapWatch heap = new HeapWatch();

    /// What loops and buffers were made by, which no reload changes.
    private final ProcessSettings begun;

    private Configuration configuration;

    private Server(
            OperatingSystem system,
            Engine engine,
            Configuration configuration,
            ConfigurationSource source,
            Orders orders) {
        this.orders = orders;
        this.system = system;
        this.engine = engine;
        this.begun = configuration.process();
        this.configuration = configuration;
        this.source = source;
    }

    /// Runs until told to stop.
    ///
    /// @param configuration checked
    /// @param source of the configuration for a reload
    /// @return the exit code
    public static int run(Configuration configuration, ConfigurationSource source) {
        Orders orders = new Orders();
        listenToSignals(orders);
        return run(configuration, source, orders);
    }

    /// Runs until `orders` say that it shall end.
    static int run(Configuration configuration, ConfigurationSource source, Orders orders) {
        OperatingSystem system = systemFor();
        Engine engine = engineFor(configuration, system);
        Server server = new Server(system, engine, configuration, source, orders);
        try {
            engine.open();
        } catch (SystemFault fault) {
            LOG.log(Level.ERROR, fault.reason());
            engine.stop(0);
            return 1;
        }
        LOG.log(Level.INFO, "started");
        if (Hangups.isIgnored()) {
            LOG.log(Level.WARNING, "HUP is ignored by whoever started this: it does not reload");
        }
        try {
            return server.serve();
        } catch (RuntimeException | Error failure) {
            // Nobody would hear a signal any more: the process must not outlive this.
            LOG.log(Level.ERROR, "ends because of an internal error", failure);
            server.stopAtOnce();
            return 1;
        }
    }

    /// Makes an engine for a configuration; it listens on nothing yet.
    public static Engine engineFor(Configuration configuration, OperatingSystem system) {
        return engineFor(configuration, Assembly.plan(configuration), system);
    }

    /// Makes an engine with what a configuration says of the process, and another plan.
    static Engine engineFor(Configuration configuration, Plan plan, OperatingSystem system) {
        long files = system.raiseFileLimit();
        int loops = configuration.process().loops();
        int cores = Runtime.getRuntime().availableProcessors();
        int count = loops == 0 ? cores : loops;
        Long buffers = configuration.process().bufferBytes();
        long bufferBytes = buffers == null ? bufferBytesByDefault(count) : buffers;
        return new Engine(
                system,
                new EngineOptions(count, bufferBytes, limits(configuration, files)),
                LoopEntropy::new,
                () -> System.currentTimeMillis() / 1000,
                new SystemResolver(),
                plan);
    }

    /// Half of the heap at most: a collection must find room to work in.
    private static long bufferBytesByDefault(int loops) {
        long half = Runtime.getRuntime().maxMemory() / 2;
        return Math.max(loops * (2L << 20), Math.min(EngineOptions.BUFFER_BYTES, half));
    }

    /// A flow needs two files: without a limit of the operator's, there are as many flows as files
    /// allow.
    private static LimitOptions limits(Configuration configuration, long files) {
        LimitOptions wanted = configuration.process().limits();
        if (files <= 0 || wanted.connections() != LimitOptions.NONE) {
            return wanted;
        }
        int most =
                (int) Math.min(Integer.MAX_VALUE, Math.max(16, (files - FILES_FOR_OURSELVES) / 2));
        return new LimitOptions(
                most,
                wanted.connectionsPerAddress(),
                wanted.handshakes(),
                wanted.handshakesPerAddress());
    }

    /// Linux's own calls on Linux; java.nio elsewhere, or where `-Dsluice.driver=portable` asks for
    /// it.
    public static OperatingSystem systemFor() {
        boolean linux = System.getProperty("os.name", "").equals("Linux");
        boolean portable = System.getProperty("sluice.driver", "").equals("portable");
        return linux && !portable ? new LinuxSystem() : new PortableSystem();
    }

    private static void listenToSignals(Orders orders) {
        Signals.on("INT", () -> stop(orders));
        Signals.on("TERM", () -> stop(orders));
        Hangups.follow(orders::reload);
    }

    private static void stop(Orders orders) {
        if (orders.stop()) {
            LOG.log(Level.INFO, "stopped at once");
            Runtime.getRuntime().halt(0);
        }
    }

    private int serve() {
        boolean late = retryLate();
        while (true) {
            switch (orders.next(secondsToWait())) {
                case REST -> {
                    late = late && retryLate();
                    heap.collectAfterGrowth();
                }
                case RELOAD -> {
                    reload();
                    late = retryLate();
                }
                case STOP -> {
                    stop();
                    return 0;
                }
            }
        }
    }

    private long secondsToWait() {
        return heap.isGrowing() ? GROWING_HEAP_SECONDS : HEAP_SECONDS;
    }

    /// Whether addresses are missing still.
    private boolean retryLate() {
        try {
            return engine.retryLate();
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            LOG.log(Level.ERROR, "cannot look for addresses that are missing", failure);
            return true;
        }
    }

    /// Follows the files, or goes on as before. Whatever goes wrong, the next signal finds somebody
    /// who listens.
    private void reload() {
        try {
            Configuration next = source.next();
            follow(next);
            LOG.log(Level.INFO, "reloaded");
        } catch (ConfigFault fault) {
            LOG.log(Level.ERROR, "not reloaded, the old configuration goes on:\n" + fault.reason());
        } catch (SystemFault fault) {
            LOG.log(Level.ERROR, "not reloaded, the old configuration goes on: " + fault.reason());
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            LOG.log(
                    Level.ERROR,
                    "not reloaded because of an internal error, the old configuration goes on",
                    failure);
        }
    }

    private void follow(Configuration next) {
        try {
            engine.replace(Assembly.plan(next));
        } catch (RuntimeException | Error failure) {
            source.refused();
            throw failure;
        }
        configuration = next;
        engine.admission().follow(limits(next, system.raiseFileLimit()));
        try {
            source.taken(next);
        } catch (RuntimeException | StackOverflowError | AssertionError failure) {
            LOG.log(Level.ERROR, "the log or the plugins do not follow the reload", failure);
        }
        warnOfNeededRestart(next.process());
    }

    private void warnOfNeededRestart(ProcessSettings next) {
        if (next.loops() != begun.loops()) {
            LOG.log(Level.WARNING, "sluice.loops has changed, which takes effect after a restart");
        }
        if (!Objects.equals(next.bufferBytes(), begun.bufferBytes())) {
            LOG.log(Level.WARNING, "sluice.memory has changed, which takes effect after a restart");
        }
    }

    private void stop() {
        Duration drain = configuration.process().drain();
        int open = engine.conversations();
        if (open > 0) {
            LOG.log(
                    Level.INFO,
                    "stopping; " + open + " flows may go on for " + drain.toSeconds() + " s");
        }
        engine.stop(drain.toNanos());
        LOG.log(Level.INFO, "stopped");
    }

    private void stopAtOnce() {
        try {
            engine.stop(0);
        } catch (RuntimeException | Error failure) {
            LOG.log(Level.ERROR, "cannot stop in order", failure);
        }
    }
}
