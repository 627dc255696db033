package sluice.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.bed.Bench;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;
import sluice.lab.process.Folders;
import sluice.lab.process.LocalChild;
import sluice.lab.process.Ports;

/// A bench on this machine. Used by one thread; [#close] may come from another and ends everything
/// that was started, also what is being started.
public final class LocalBench implements Bench, AutoCloseable {

    private final Path folder;
    private final Path certificate;
    private final Path key;
    private final Installed reference;

    private record Started(String label, LocalChild child) {}

    private final List<Started> children = new ArrayList<>();
    private final Map<String, @Nullable Object> configs = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> exits = new LinkedHashMap<>();
    private String referenceUsed = "";
    private boolean closed;
    private int folders;

    /// @param folder what it writes goes there; removed at the end
    /// @param certificate PEM, for `lab.test`
    /// @param key PEM
    /// @param reference the engine at the other end
    public LocalBench(Path folder, Path certificate, Path key, Installed reference)
            throws IOException {
        this.folder = folder;
        this.certificate = certificate;
        this.key = key;
        this.reference = reference;
        Files.createDirectories(folder);
    }

    @Override
    public int freePort() throws IOException {
        return Ports.free();
    }

    @Override
    public Path certificate() {
        return certificate;
    }

    @Override
    public Path key() {
        return key;
    }

    @Override
    public Installed reference() {
        return reference;
    }

    @Override
    public Child engine(String label, Installed engine, Wiring wiring, Role role)
            throws IOException {
        Launch launch = engine.engine().launch(wiring, role);
        Path home = newFolder();
        for (Map.Entry<String, String> file : launch.files().entrySet()) {
            Path path = home.resolve(file.getKey()).normalize();
            Path parent = path.getParent();
            if (parent == null || !path.startsWith(home)) {
                throw new IOException(engine.name() + " wants a file outside of its folder");
            }
            Files.createDirectories(parent);
            Files.writeString(path, file.getValue());
        }
        List<String> command = new ArrayList<>(launch.command());
        Path program = engine.programs().get(command.getFirst());
        if (program == null) {
            throw new IOException(engine.name() + " has no program " + command.getFirst());
        }
        command.set(0, program.toString());
        Map<String, @Nullable Object> noted = new LinkedHashMap<>(launch.files());
        noted.put("command", String.join(" ", launch.command()));
        synchronized (this) {
            configs.put(label, noted);
            if (engine.equals(reference) && label.equals("reference")) {
                referenceUsed = (engine.name() + " " + engine.version()).trim();
            }
        }
        return start(label, command, home, Map.of());
    }

    @Override
    public Child program(String label, List<String> command, Map<String, String> environment)
            throws IOException {
        return start(label, command, newFolder(), environment);
    }

    @Override
    public Child load(String label, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        // Relative entries of the class path count from where the lab runs.
        return start(label, command, Path.of("").toAbsolutePath(), Map.of());
    }

    private synchronized Path newFolder() throws IOException {
        return Files.createDirectories(folder.resolve(Integer.toString(++folders)));
    }

    private synchronized Child start(
            String label, List<String> command, Path home, Map<String, String> environment)
            throws IOException {
        if (closed) {
            throw new IOException("was ended");
        }
        LocalChild child = LocalChild.start(command, home, environment);
        children.add(new Started(unused(label), child));
        return child;
    }

    private String unused(String label) {
        long before =
                children.stream()
                        .filter(each -> each.label().replaceAll(" #[0-9]+$", "").equals(label))
                        .count();
        return before == 0 ? label : label + " #" + (before + 1);
    }

    @Override
    public void awaitListening(Child child, int port, Duration most)
            throws IOException, InterruptedException {
        Ports.awaitListening(child, port, most);
    }

    /// Label to file name to content, of every engine that was started, and its command.
    public synchronized Map<String, @Nullable Object> configs() {
        return new LinkedHashMap<>(configs);
    }

    /// Label to how a process ended: `1` by itself, `stopped: 143` by the lab. Complete after
    /// [#close].
    public synchronized Map<String, @Nullable Object> exits() {
        return new LinkedHashMap<>(exits);
    }

    /// Name and version of the reference where one was started, or empty.
    public synchronized String referenceUsed() {
        return referenceUsed;
    }

    /// Ends all processes, the youngest first, and removes the folder. Does nothing twice.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        // Loads first: an engine that loses its peers writes errors that nobody asked for.
        for (Started each : children.reversed()) {
            boolean byItself = !each.child().alive();
            int code = each.child().stop();
            exits.put(each.label(), byItself ? Integer.toString(code) : "stopped: " + code);
        }
        Folders.remove(folder);
    }
}
