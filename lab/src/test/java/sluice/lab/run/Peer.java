package sluice.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import sluice.testkit.Eventually;
import sluice.testkit.Peers;
import sluice.testkit.Program;

/// A foreign program that serves or forwards until [#close]. A missing program skips the calling
/// test, or fails it where peers are required.
public final class Peer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration LIFE_LIMIT = Duration.ofMinutes(10);

    private final Program program;
    private final List<Path> files;

    private Peer(Program program, List<Path> files) {
        this.program = program;
        this.files = files;
    }

    /// Starts `name` with arguments and waits until it listens on the TCP ports and is bound to the
    /// UDP ports.
    public static Peer start(
            String name, List<Integer> tcp, List<Integer> udp, Object... arguments) {
        return start(name, List.of(), tcp, udp, arguments);
    }

    /// Starts `name` with a configuration file, whose path goes behind the arguments.
    ///
    /// @param config the file's text, with single quotes for double ones
    public static Peer startWith(
            String name, String config, List<Integer> tcp, List<Integer> udp, Object... arguments) {
        Path program = Peers.require(name);
        Path file = file(config.replace('\'', '"'));
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.add(file);
        return start(program.toString(), List.of(file), tcp, udp, all.toArray());
    }

    private static Peer start(
            String name,
            List<Path> files,
            List<Integer> tcp,
            List<Integer> udp,
            Object... arguments) {
        Path path = name.startsWith("/") ? Path.of(name) : Peers.require(name);
        Program program = Program.of(path, arguments).limit(LIFE_LIMIT).start();
        Peer peer = new Peer(program, files);
        try {
            Eventually.await(
                    START_LIMIT,
                    () -> "the ports of " + program,
                    () -> {
                        if (!program.isAlive()) {
                            throw new AssertionError("ended before it listened: " + program);
                        }
                        return tcp.stream().allMatch(Proc::isListening)
                                && udp.stream().allMatch(Proc::isBound);
                    });
            return peer;
        } catch (RuntimeException | Error failure) {
            peer.close();
            throw failure;
        }
    }

    /// Whether the program is here.
    public static boolean isHere(String name) {
        return Peers.find(name).isPresent();
    }

    /// What it has said so far.
    public String log() {
        return program.out() + program.err();
    }

    @Override
    public void close() {
        program.close();
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private static Path file(String text) {
        try {
            return Files.writeString(Files.createTempFile("sluice-peer-", ".json"), text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
