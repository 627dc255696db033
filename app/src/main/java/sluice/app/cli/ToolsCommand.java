package sluice.app.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.Configurations;
import sluice.app.config.InboundSettings;
import sluice.app.config.OutboundSettings;
import sluice.app.log.Log;
import sluice.app.plugin.Plugins;
import sluice.app.probe.Fetch;
import sluice.app.probe.ProbeStream;
import sluice.app.probe.Prober;
import sluice.base.config.Nearest;
import sluice.base.config.Shown;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.engine.dial.SystemResolver;
import sluice.policy.dns.Family;
import sluice.policy.dns.Resolution;

/// `sluice tools`.
final class ToolsCommand implements Command {

    private static final Option OUTBOUND = new Option('o', "outbound", true);
    private static final Option INBOUND = new Option('i', "inbound", true);
    private static final Option TIMEOUT = new Option('t', "timeout", true);

    private static final List<String> TOOLS = List.of("connect", "fetch", "dns");

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Doors doors;

    ToolsCommand(Doors doors) {
        this.doors = doors;
    }

    @Override
    public String help() {
        return """
        sluice tools connect [OPTIONS] HOST:PORT
        sluice tools fetch [OPTIONS] URL
        sluice tools dns NAME

        Tries the outbounds of a configuration out, and says how long each step took. The inbounds
        of the configuration are not opened, so that it may run elsewhere at the same time.

          connect   connects; sends what standard input holds, if anything, and prints the answer
          fetch     fetches a page; its body goes to standard output, the steps to standard error;
                    ends with 1 where the answer's status is 400 or above
          dns       looks a name up with the system's resolver

          -c, -C, -D                   which configuration, as for run
          -o, --outbound TAG           this outbound, whatever the rules say
          -i, --inbound TAG            the rules take it for traffic of this inbound; else the first
          -t, --timeout TIME           how long to wait for each step, such as 500ms, 5s, 1m; 15s if
                                       left out; a number alone is seconds

        Example:
          sluice tools fetch -c client.json https://example.com/ >/dev/null
        """;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(Option.CONFIGURATION);
        options.addAll(List.of(OUTBOUND, INBOUND, TIMEOUT));
        return options;
    }

    @Override
    public int run(Arguments arguments, Console console) throws IOException {
        List<String> words = arguments.words();
        if (words.isEmpty() || !TOOLS.contains(words.getFirst())) {
            String near = words.isEmpty() ? null : Nearest.to(words.getFirst(), TOOLS);
            throw new UsageFault(
                    "takes "
                            + String.join(", ", TOOLS)
                            + " and what to try"
                            + (near == null ? "" : "; did you mean " + near + "?"));
        }
        if (words.size() != 2) {
            throw new UsageFault(
                    words.getFirst()
                            + (words.size() == 1
                                    ? " needs what to try behind it"
                                    : " takes one thing to try; "
                                            + Shown.quoted(words.get(2))
                                            + " is one too many"));
        }
        long timeoutMillis = timeoutMillis(arguments);
        String what = words.get(1);
        return switch (words.getFirst()) {
            case "dns" -> lookUp(what, timeoutMillis, console);
            case "connect" -> connect(destination(what), arguments, timeoutMillis, console);
            default -> fetch(target(what), arguments, timeoutMillis, console);
        };
    }

    private int fetch(Fetch.Target target, Arguments arguments, long timeoutMillis, Console console)
            throws IOException {
        Configuration configuration = configuration(arguments);
        try (Plugins plugins = new Plugins(doors.system());
                Prober prober = prober(plugins.follow(configuration), arguments)) {
            int status =
                    new Fetch(prober, timeoutMillis, console.err()::println)
                            .run(target, console.out());
            console.out().flush();
            return status < 400 ? DONE : FAILED;
        }
    }

    private int connect(Destination to, Arguments arguments, long timeoutMillis, Console console)
            throws IOException {
        Configuration configuration = configuration(arguments);
        try (Plugins plugins = new Plugins(doors.system());
                Prober prober = prober(plugins.follow(configuration), arguments)) {
            console.err().println(prober.choice(to));
            long begin = System.nanoTime();
            try (ProbeStream stream = prober.connect(to, timeoutMillis)) {
                console.err()
                        .println(
                                Fetch.millis(System.nanoTime() - begin)
                                        + "  "
                                        + prober.reached(to));
                exchange(stream, console);
            }
            return DONE;
        }
    }

    /// Sends what standard input holds, then prints what comes until the other side ends or falls
    /// silent.
    private static void exchange(ProbeStream stream, Console console) throws IOException {
        if (System.in.available() > 0) {
            stream.send(System.in.readNBytes(1 << 20));
        } else {
            return;
        }
        byte[] piece = new byte[16_384];
        int received = stream.receive(piece);
        while (received >= 0) {
            console.out().write(piece, 0, received);
            console.out().flush();
            received = stream.receive(piece);
        }
    }

    private int lookUp(String name, long timeoutMillis, Console console) throws IOException {
        if (IpAddress.parseOrNull(name) != null) {
            throw new UsageFault(name + " is an address; dns takes a name");
        }
        DomainName domain;
        try {
            domain = DomainName.parse(name);
        } catch (IllegalArgumentException fault) {
            throw new UsageFault(String.valueOf(fault.getMessage()));
        }
        CompletableFuture<Resolution> answer = new CompletableFuture<>();
        long begin = System.nanoTime();
        new SystemResolver().resolve(domain, Family.ANY, answer::complete);
        Resolution resolution;
        try {
            resolution = answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new IOException(
                    "no answer for " + Fetch.millis(timeoutMillis * 1_000_000).strip());
        } catch (ExecutionException | InterruptedException fault) {
            throw new IOException(fault);
        }
        console.err().println(Fetch.millis(System.nanoTime() - begin) + "  the system's resolver");
        return switch (resolution) {
            case Resolution.Found found -> {
                found.addresses().forEach(console.out()::println);
                yield DONE;
            }
            case Resolution.Failed failed -> throw new IOException(failed.reason());
        };
    }

    private static Configuration configuration(Arguments arguments) {
        Configuration configuration = Configurations.load(arguments.request(List.of()));
        // Only what somebody should look at; the steps say the rest.
        Log.configure(System.Logger.Level.WARNING, null, false);
        return configuration;
    }

    private Prober prober(Configuration configuration, Arguments arguments) {
        String outbound = arguments.value(OUTBOUND);
        String inbound = arguments.value(INBOUND);
        demand(
                "outbound",
                outbound,
                configuration.outbounds().stream().map(OutboundSettings::tag).toList());
        demand(
                "inbound",
                inbound,
                configuration.inbounds().stream().map(InboundSettings::tag).toList());
        return Prober.open(configuration, doors.system(), doors::engine, inbound, outbound);
    }

    private static void demand(String what, @Nullable String tag, List<String> tags) {
        if (tag == null || tags.contains(tag)) {
            return;
        }
        String near = Nearest.to(tag, tags);
        throw new UsageFault(
                "there is no "
                        + what
                        + " "
                        + Shown.quoted(tag)
                        + (near == null ? "" : "; did you mean " + near + "?"));
    }

    private static long timeoutMillis(Arguments arguments) {
        @Nullable String text = arguments.value(TIMEOUT);
        if (text == null) {
            return PATIENCE.toMillis();
        }
        String digits = text.replaceFirst("(ms|s|m)$", "");
        long unit = text.endsWith("ms") ? 1 : text.endsWith("m") ? 60_000 : 1000;
        if (!digits.matches("[1-9][0-9]{0,5}")) {
            throw new UsageFault("--timeout takes a time such as 500ms, 15s or 1m");
        }
        return unit * Integer.parseInt(digits);
    }

    private static Destination destination(String text) {
        try {
            return Fetch.destination(text, 0);
        } catch (IllegalArgumentException fault) {
            throw new UsageFault(String.valueOf(fault.getMessage()));
        }
    }

    private static Fetch.Target target(String url) {
        try {
            return Fetch.Target.parse(url);
        } catch (IllegalArgumentException fault) {
            throw new UsageFault(String.valueOf(fault.getMessage()));
        }
    }
}
