package sluice.app;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import sluice.app.config.Configuration;
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

    private enum Order {
        RELOAD,
        STOP
    }

    private final Engine engine;
    private final Supplier<Configuration> reader;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>(16);
    private final HeapWatch heap = new HeapWatch();
    private Configuration configuration;

    private Server(Engine engine, Configuration configuration, Supplier<Configuration> reader) {
        this.engine = engine;
        this.configuration = configuration;
        this.reader = reader;
    }

    /// Runs until told to stop.
    ///
    /// @param configuration checked
    /// @param reader reads the configuration anew for a reload; throws [ConfigFault]
    /// @return the exit code
    public static int run(Configuration configuration, Supplier<Configuration> reader) {
        Engine engine = engineFor(configuration, systemFor());
        Server server = new Server(engine, configuration, reader);
        server.listenToSignals();
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
        return server.serve();
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

    private void listenToSignals() {
        Signals.on("INT", this::orderStop);
        Signals.on("TERM", this::orderStop);
        Hangups.follow(() -> orders.offer(Order.RELOAD));
    }

    private volatile boolean stopping;

    private void orderStop() {
        if (stopping) {
            LOG.log(Level.INFO, "stopped at once");
            Runtime.getRuntime().halt(0);
        }
        stopping = true;
        orders.offer(Order.STOP);
    }

    private int serve() {
        boolean late = engine.retryLate();
        while (true) {
            Order order;
            try {
                order = orders.poll(secondsToWait(), TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                order = Order.STOP;
            }
            switch (order) {
                case null -> {
                    late = late && engine.retryLate();
                    heap.collectAfterGrowth();
                }
                case RELOAD -> {
                    reload();
                    late = engine.retryLate();
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

    private void reload() {
        try {
            Configuration next = reader.get();
            engine.replace(Assembly.plan(next));
            configuration = next;
            LOG.log(Level.INFO, "reloaded");
        } catch (ConfigFault fault) {
            LOG.log(Level.ERROR, "not reloaded, the old configuration goes on:\n" + fault.reason());
        } catch (SystemFault fault) {
            LOG.log(Level.ERROR, "not reloaded, the old configuration goes on: " + fault.reason());
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
}
