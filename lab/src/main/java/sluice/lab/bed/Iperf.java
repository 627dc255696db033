package sluice.lab.bed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;
import sluice.lab.process.Child;
import sluice.lab.process.Ports;
import sluice.lab.process.Programs;

/// iperf3 as the source and the sink of a throughput figure: its command lines, and what it says.
final class Iperf {

    /// What a run of its client found.
    ///
    /// @param bytes that reached the receiver while it was measured
    /// @param seconds measured, by the receiver's clock
    /// @param raw its own words, without the part about each stream
    record Result(long bytes, double seconds, Map<String, @Nullable Object> raw) {
        double mbitPerSecond() {
            return bytes * 8 / seconds / 1e6;
        }

        double gibPerSecond() {
            return bytes / seconds / (1L << 30);
        }
    }

    private static final Duration START = Duration.ofSeconds(20);

    private Iperf() {}

    static Optional<String> missing() {
        return Programs.onPath("iperf3").isPresent()
                ? Optional.empty()
                : Optional.of(
                        "iperf3 is not on PATH; apt install iperf3 (Debian, Ubuntu),"
                                + " dnf install iperf3 (Fedora), or https://iperf.fr");
    }

    /// A server that serves one test and ends: one that is used again resets the connections of the
    /// next test while it still ends the last.
    static List<String> server(int port) {
        return List.of("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", Integer.toString(port));
    }

    /// Starts such a server, without waiting for it.
    static Child startServer(Bench bench, int port) throws IOException {
        return bench.program("iperf3 server", server(port), Map.of());
    }

    /// Waits until it listens.
    static void awaitServer(Bench bench, Child server, int port)
            throws IOException, InterruptedException {
        try {
            bench.awaitListening(server, port, START);
        } catch (IOException failed) {
            throw new IOException("iperf3 as server " + failed.getMessage(), failed);
        }
    }

    /// A client that reports once, at its end.
    static List<String> client(int port, int streams, boolean down, Settings settings) {
        List<String> command =
                new ArrayList<>(
                        List.of("iperf3", "-J", "-i", "0", "-c", "127.0.0.1", "-p", port + ""));
        command.addAll(List.of("-P", streams + "", "-t", settings.seconds() + ""));
        if (settings.omit() > 0) {
            command.addAll(List.of("-O", settings.omit() + ""));
        }
        if (down) {
            command.add("-R");
        }
        return command;
    }

    /// Waits until a client has connected all of its streams and the one that controls them, which
    /// is when its test begins.
    static void awaitBegin(Child client, int port, int streams)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (Ports.established(port) <= streams) {
            if (!client.alive()) {
                throw new IOException(complaint(client));
            }
            if (System.nanoTime() > end) {
                throw new IOException(
                        "only "
                                + Ports.established(port)
                                + " of "
                                + (streams + 1)
                                + " connections came about in 10 s");
            }
            Thread.sleep(5);
        }
    }

    /// Waits for the end of a client and reads what it found.
    ///
    /// @param most how long it may take from here on
    static Result await(Child client, Duration most) throws IOException, InterruptedException {
        if (client.await(most) == null) {
            throw new IOException("iperf3 did not end " + most.toSeconds() + " s after its time");
        }
        return parse(client);
    }

    private static String complaint(Child client) throws InterruptedException {
        client.await(Duration.ofSeconds(1));
        try {
            return Json.readObject(client.output()).get("error") instanceof String error
                    ? "iperf3: " + error
                    : "iperf3 ended too early";
        } catch (IllegalArgumentException noJson) {
            return "iperf3: " + client.lastWords();
        }
    }

    private static Result parse(Child client) throws IOException, InterruptedException {
        Map<String, @Nullable Object> report;
        try {
            report = Json.readObject(client.output());
        } catch (IllegalArgumentException noJson) {
            throw new IOException("iperf3: " + client.lastWords(), noJson);
        }
        if (report.containsKey("error")) {
            throw new IOException(complaint(client));
        }
        if (!(report.get("end") instanceof Map<?, ?> end)
                || !(end.get("sum_received") instanceof Map<?, ?> received)
                || !(received.get("bytes") instanceof Number bytes)
                || !(received.get("seconds") instanceof Number seconds)) {
            throw new IOException("iperf3 said nothing about what was received");
        }
        if (bytes.longValue() <= 0 || seconds.doubleValue() <= 0) {
            throw new IOException("nothing arrived at the receiver");
        }
        Map<String, @Nullable Object> raw = new LinkedHashMap<>();
        if (report.get("start") instanceof Map<?, ?> start) {
            raw.put("version", start.get("version"));
        }
        for (String part : List.of("sum_sent", "sum_received", "cpu_utilization_percent")) {
            raw.put(part, end.get(part));
        }
        return new Result(bytes.longValue(), seconds.doubleValue(), raw);
    }
}
