package sluice.app.plugin;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.InboundSettings;
import sluice.app.config.OutboundSettings;
import sluice.app.config.PluginSettings;
import sluice.base.fault.SystemFault;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.OperatingSystem;
import sluice.protocol.spi.PluginOutbound;

/// The plugins of this process. Used by one thread at a time.
///
/// A plugin that a reload leaves as it is goes on. One whose options changed is replaced. The old
/// one of an outbound lives on until the next reload, since connections run through it; that of an
/// inbound ends when the new configuration is in force. Where the new configuration needs the port
/// that an inbound's plugin has, that one ends before, and is started again if the new
/// configuration is not taken: connections through it are lost then.
public final class Plugins implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("sluice.plugin");

    /// How long a plugin has to listen before the start goes on without it.
    private static final long START_NANOS = 10_000_000_000L;

    private static final long PROBE_MILLIS = 20;

    /// What a plugin is told, which identifies it.
    ///
    /// @param tag of the inbound or outbound
    /// @param publicAt where the other side of the network is
    private record Task(boolean inbound, String tag, PluginSettings settings, String publicAt) {}

    /// @param local where it meets this process, on loopback
    /// @param listens where it listens, on either side
    private record Running(PluginProcess process, Endpoint local, Endpoint listens) {}

    private final OperatingSystem system;
    private Map<Task, Running> running = new HashMap<>();

    /// Replaced by the last reload.
    private Map<Task, Running> retired = new HashMap<>();

    /// What the configuration that is neither taken nor refused yet needs; null between reloads.
    private @Nullable Map<Task, Running> prepared;

    /// Ended ahead of time for it.
    private final Map<Task, Running> displaced = new LinkedHashMap<>();

    /// @param system asked for free ports, and whether a plugin accepts
    public Plugins(OperatingSystem system) {
        this.system = system;
    }

    /// [#prepare] and [#commit] at once.
    public Configuration follow(Configuration configuration) {
        Configuration changed = prepare(configuration);
        commit();
        return changed;
    }

    /// Starts what a configuration needs beside what runs, and returns it with the plugins in the
    /// places where they stand: outbounds connect to theirs, inbounds listen behind theirs. Waits
    /// until they accept. [#commit] or [#takeBack] follows; where this throws, everything is as it
    /// was.
    ///
    /// @throws SystemFault when there is no port for one
    public Configuration prepare(Configuration configuration) {
        Map<Task, Running> next = new LinkedHashMap<>();
        prepared = next;
        try {
            Configuration placed = place(configuration, next);
            awaitAll(next);
            return next.isEmpty() ? configuration : placed;
        } catch (RuntimeException | Error fault) {
            takeBack();
            throw fault;
        }
    }

    /// The configuration of the last [#prepare] is in force: ends what it does not need.
    public void commit() {
        Map<Task, Running> next = prepared;
        prepared = null;
        displaced.clear();
        if (next != null) {
            retire(next);
            running = next;
        }
    }

    /// The configuration of the last [#prepare] is not in force: ends what it alone needed, and
    /// starts again what had made room for it.
    public void takeBack() {
        Map<Task, Running> next = prepared;
        prepared = null;
        if (next != null) {
            next.forEach((task, started) -> {
                if (started != known(task)) {
                    started.process().stop();
                }
            });
        }
        displaced.forEach((task, old) -> {
            running.put(task, startAgain(task, old));
            LOG.log(Level.WARNING, nameOf(task) + ": its plugin had to begin anew");
        });
        displaced.clear();
    }

    private static Running startAgain(Task task, Running old) {
        Endpoint at = old.listens();
        return start(
                task,
                variables(at.address().toString(), at.port(), old.local(), task),
                old.local(),
                at);
    }

    private Configuration place(Configuration configuration, Map<Task, Running> next) {
        makeRoom(configuration.inbounds());
        List<InboundSettings> inbounds = new ArrayList<>();
        for (InboundSettings inbound : configuration.inbounds()) {
            PluginSettings plugin = inbound.plugin();
            inbounds.add(
                    plugin == null
                            ? inbound
                            : inbound.behindPlugin(local(taskOf(inbound, plugin), inbound, next)));
        }
        List<OutboundSettings> outbounds = new ArrayList<>();
        for (OutboundSettings outbound : configuration.outbounds()) {
            PluginSettings plugin = outbound.plugin();
            Destination server = outbound.outbound().server();
            if (plugin == null
                    || server == null
                    || !(outbound.outbound() instanceof PluginOutbound through)) {
                outbounds.add(outbound);
                continue;
            }
            Task task = new Task(false, outbound.tag(), plugin, server.toString());
            Endpoint local = local(task, server, next);
            outbounds.add(outbound.with(through.throughPlugin(Destination.of(local))));
        }
        return configuration.with(inbounds, outbounds);
    }

    private static Task taskOf(InboundSettings inbound, PluginSettings plugin) {
        return new Task(true, inbound.tag(), plugin, inbound.listen().at().getFirst().toString());
    }

    private Endpoint local(Task task, InboundSettings inbound, Map<Task, Running> next) {
        Running before = known(task);
        if (before == null) {
            Endpoint at = inbound.listen().at().getFirst();
            Endpoint local = Loopback.freePort(system);
            before =
                    start(
                            task,
                            variables(at.address().toString(), at.port(), local, task),
                            local,
                            at);
        }
        next.put(task, before);
        return before.local();
    }

    private Endpoint local(Task task, Destination server, Map<Task, Running> next) {
        Running before = known(task);
        if (before == null) {
            Endpoint local = Loopback.freePort(system);
            before =
                    start(
                            task,
                            variables(server.host().toString(), server.port(), local, task),
                            local,
                            local);
        }
        next.put(task, before);
        return before.local();
    }

    /// Ends the plugins of old inbounds at ports that new plugins, or this process, need.
    private void makeRoom(List<InboundSettings> inbounds) {
        Set<Task> wanted = new HashSet<>();
        List<Endpoint> places = new ArrayList<>();
        for (InboundSettings inbound : inbounds) {
            PluginSettings plugin = inbound.plugin();
            if (plugin != null) {
                wanted.add(taskOf(inbound, plugin));
            }
            if (inbound.inbound().acceptsStreams()) {
                places.addAll(inbound.listen().at());
            }
        }
        for (Map.Entry<Task, Running> old : List.copyOf(running.entrySet())) {
            Task task = old.getKey();
            if (task.inbound()
                    && !wanted.contains(task)
                    && places.stream().anyMatch(at -> overlap(at, old.getValue().listens()))) {
                running.remove(task);
                displaced.put(task, old.getValue());
                old.getValue().process().stop();
            }
        }
    }

    private static boolean overlap(Endpoint a, Endpoint b) {
        return a.port() == b.port()
                && (a.address().equals(b.address()) || a.address().isAny() || b.address().isAny());
    }

    private static Map<String, String> variables(
            String remoteHost, int remotePort, Endpoint local, Task task) {
        Map<String, String> variables = new HashMap<>();
        variables.put("SS_REMOTE_HOST", remoteHost);
        variables.put("SS_REMOTE_PORT", Integer.toString(remotePort));
        variables.put("SS_LOCAL_HOST", local.address().toString());
        variables.put("SS_LOCAL_PORT", Integer.toString(local.port()));
        if (!task.settings().options().isEmpty()) {
            variables.put("SS_PLUGIN_OPTIONS", task.settings().options());
        }
        return variables;
    }

    private static Running start(
            Task task, Map<String, String> variables, Endpoint local, Endpoint listens) {
        PluginProcess process =
                new PluginProcess(nameOf(task), task.settings().program(), variables);
        process.start();
        return new Running(process, local, listens);
    }

    private static String nameOf(Task task) {
        return (task.inbound() ? "inbound " : "outbound ") + task.tag();
    }

    private @Nullable Running known(Task task) {
        Running known = running.get(task);
        return known == null ? retired.get(task) : known;
    }

    private void retire(Map<Task, Running> next) {
        Map<Task, Running> leaving = new HashMap<>();
        running.forEach((task, old) -> {
            if (next.containsKey(task)) {
                return;
            }
            if (task.inbound()) {
                old.process().stop();
            } else {
                leaving.put(task, old);
            }
        });
        retired.forEach((task, old) -> {
            if (!next.containsKey(task)) {
                Thread.ofVirtual().start(() -> old.process().stop());
            }
        });
        retired = leaving;
    }

    /// Waits until all that are new accept, together at most [#START_NANOS]. The others had their
    /// time: a plugin that does not come up delays no later reload.
    private void awaitAll(Map<Task, Running> starting) {
        long until = System.nanoTime() + START_NANOS;
        starting.forEach((task, each) -> {
            if (each != known(task) && !accepts(probed(each.listens()), until)) {
                LOG.log(
                        Level.WARNING,
                        nameOf(task)
                                + ": the plugin "
                                + task.settings().program()
                                + " does not listen on "
                                + each.listens()
                                + " yet");
            }
        });
    }

    private boolean accepts(Endpoint at, long untilNanos) {
        while (!Loopback.accepts(system, at)) {
            if (System.nanoTime() - untilNanos > 0) {
                return false;
            }
            try {
                Thread.sleep(PROBE_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /// Who listens on every address also listens on loopback.
    private static Endpoint probed(Endpoint at) {
        if (!at.address().isAny()) {
            return at;
        }
        return new Endpoint(
                at.address().isV4() ? IpAddress.LOOPBACK_V4 : IpAddress.LOOPBACK_V6, at.port());
    }

    /// The processes that run, for tests.
    List<PluginProcess> processes() {
        return running.values().stream().map(Running::process).toList();
    }

    /// Ends them all.
    @Override
    public void close() {
        List<Thread> enders = new ArrayList<>();
        takeBack();
        List<PluginProcess> all = new ArrayList<>(processes());
        retired.values().forEach(each -> all.add(each.process()));
        retired = new HashMap<>();
        running = new HashMap<>();
        for (PluginProcess process : all) {
            enders.add(Thread.ofVirtual().start(process::stop));
        }
        for (Thread ender : enders) {
            try {
                ender.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
