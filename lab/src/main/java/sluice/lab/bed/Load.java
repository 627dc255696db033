package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;
import sluice.lab.process.Child;

/// A load program of this lab that a bed started. What it throws begins with the program's name.
final class Load {

    /// A JVM on a busy machine.
    private static final Duration START = Duration.ofSeconds(20);

    private static final long STEP_MILLIS = 5;
    private static final String READY = "ready ";

    private final String name;
    private final Child child;

    private Load(String name, Child child) {
        this.name = name;
        this.child = child;
    }

    static Load start(Bench bench, Class<?> program, Object... arguments) throws IOException {
        List<String> words = new ArrayList<>();
        for (Object each : arguments) {
            words.add(each.toString());
        }
        return new Load(
                program.getSimpleName(), bench.load(program.getSimpleName(), program, words));
    }

    Child child() {
        return child;
    }

    /// Waits until it listens.
    ///
    /// @return the port that it says
    int awaitReady() throws IOException, InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            boolean alive = child.alive();
            Optional<String> ready =
                    child.output().lines().filter(line -> line.startsWith(READY)).findFirst();
            if (ready.isPresent()) {
                return Integer.parseInt(ready.get().substring(READY.length()).trim());
            }
            if (!alive) {
                throw ended();
            }
            if (System.nanoTime() > end) {
                throw new IOException(name + " is not ready after " + START.toSeconds() + " s");
            }
            Thread.sleep(STEP_MILLIS);
        }
    }

    /// Waits for its end.
    ///
    /// @return what it found, whether good or bad
    /// @throws IOException when it found nothing or did not end in time
    Map<String, @Nullable Object> result(Duration most) throws IOException, InterruptedException {
        if (child.await(most) == null) {
            throw new IOException(name + " did not finish within " + most.toSeconds() + " s");
        }
        Optional<String> line =
                child.output().lines().filter(each -> each.startsWith("{")).findFirst();
        if (line.isEmpty()) {
            throw ended();
        }
        return Json.readObject(line.get());
    }

    /// The same, of a program that has a `failure` or `failures` in its result when it found one.
    Map<String, @Nullable Object> success(Duration most) throws IOException, InterruptedException {
        Map<String, @Nullable Object> result = result(most);
        if (result.get("failure") instanceof String failure && !failure.isEmpty()) {
            throw new IOException(name + ": " + failure);
        }
        if (result.get("failures") instanceof List<?> failures && !failures.isEmpty()) {
            throw new IOException(
                    name
                            + ": "
                            + failures.getFirst()
                            + (failures.size() > 1
                                    ? " (and " + (failures.size() - 1) + " more)"
                                    : ""));
        }
        return result;
    }

    private IOException ended() throws InterruptedException {
        return new IOException(
                name
                        + " ended with "
                        + child.await(Duration.ofSeconds(1))
                        + ": "
                        + child.lastWords());
    }

    /// A number of a result.
    static double number(Map<String, @Nullable Object> result, String key) throws IOException {
        if (result.get(key) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IOException("a load program's result has no number " + key + ": " + result);
    }
}
