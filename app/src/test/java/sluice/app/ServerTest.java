package sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.testkit.Eventually;
import sluice.testkit.Ports;

/// A process that follows orders, whatever comes between.
final class ServerTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private Path directory;
    private final int port = Ports.tcp();
    private final Orders orders = new Orders();
    private final Source source = new Source();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();

    /// Gives what the test says, and notes what it hears.
    private static final class Source implements ConfigurationSource {

        private final Queue<Supplier<Configuration>> answers = new ArrayDeque<>();
        private final Queue<String> heard = new ConcurrentLinkedQueue<>();

        @Override
        public Configuration next() {
            heard.add("next");
            return answers.remove().get();
        }

        @Override
        public void taken(Configuration configuration) {
            heard.add("taken");
        }

        @Override
        public void refused() {
            heard.add("refused");
        }
    }

    @Test
    void failuresOfOurOwnInAReloadLeaveItListeningToOrders() throws Exception {
        List<Throwable> failures =
                List.of(
                        new IllegalStateException("does not answer"),
                        new StackOverflowError(),
                        new AssertionError());
        for (Throwable failure : failures) {
            source.answers.add(() -> raise(failure));
        }
        int moved = Ports.tcp();
        source.answers.add(() -> listening(moved));
        start();
        for (int i = 1; i <= failures.size(); i++) {
            reload(i);
            assertThat(isOpen(port)).isTrue();
        }
        reload(failures.size() + 2);
        assertThat(source.heard).containsExactly("next", "next", "next", "next", "taken");
        assertThat(isOpen(moved)).isTrue();
        Eventually.await(SOON, () -> !isOpen(port));

        orders.stop();
        assertThat(code.get(20, TimeUnit.SECONDS)).isZero();
        assertThat(isOpen(moved)).isFalse();
    }

    @Test
    void aConfigurationThatCannotListenIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            source.answers.add(() -> listening(taken.getLocalPort()));
            start();
            reload(2);
            assertThat(source.heard).containsExactly("next", "refused");
            assertThat(isOpen(port)).isTrue();
        }
        orders.stop();
        assertThat(code.get(20, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void whatItCannotSurviveEndsIt() throws Exception {
        source.answers.add(() -> raise(new InternalError("a test")));
        start();
        orders.reload();
        assertThat(code.get(20, TimeUnit.SECONDS)).isOne();
        assertThat(isOpen(port)).isFalse();
    }

    private void start() {
        Configuration configuration = listening(port);
        Thread.ofPlatform().start(() -> code.complete(Server.run(configuration, source, orders)));
        Eventually.await(SOON, () -> isOpen(port));
    }

    /// @param heard how much the source will have heard then
    private void reload(int heard) {
        orders.reload();
        Eventually.await(SOON, source.heard::toString, () -> source.heard.size() == heard);
    }

    private static Configuration raise(Throwable failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        throw (Error) failure;
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private Configuration listening(int port) {
        try {
            Path file = directory.resolve("c.json");
            Files.writeString(
                    file,
                    "{\"inbounds\": [{\"type\": \"socks\", \"tag\": \"in\", \"listen_port\": "
                            + port
                            + "}], \"sluice\": {\"loops\": 1}}");
            return Configurations.load(LoadRequest.ofFiles(file.toString()));
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
