package sluice.app.cli;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.app.config.Configuration;
import sluice.app.config.ConfigurationSource;
import sluice.app.config.Configurations;
import sluice.app.config.LoadRequest;
import sluice.app.config.LogSettings;
import sluice.app.link.ShadowsocksLink;
import sluice.app.log.Log;
import sluice.app.log.LogFile;
import sluice.app.plugin.Plugins;
import sluice.base.config.Findings;
import sluice.base.fault.SystemFault;

/// `sluice run`.
final class RunCommand implements Command {

    private static final System.Logger LOG = System.getLogger("sluice.config");

    private final Doors doors;

    RunCommand(Doors doors) {
        this.doors = doors;
    }

    @Override
    public String help() {
        return """
        sluice run [-c FILE]... [-C DIR]... [-D DIR] [LINK]

        Checks the configuration and runs it in the foreground. INT and TERM stop it: connections may
        go on for the time of "drain", 5 s unless said otherwise; a second signal stops at once.
        HUP reads the configuration again: what did not change goes on; a wrong one changes nothing.

          -c, --config FILE            a configuration; may be given again, - is standard input
          -C, --config-directory DIR   all configurations in a directory, by name
          -D, --directory DIR          where relative paths begin
          LINK                         an ss:// link instead of files: serves SOCKS and HTTP on
                                       127.0.0.1:7890 through that server

        Examples:
          sluice run -c /etc/sluice/config.yaml
          sluice run 'ss://YWVzLTEyOC1nY206dGVzdA@192.0.2.1:8388'
        """;
    }

    @Override
    public List<Option> options() {
        return Option.CONFIGURATION;
    }

    @Override
    public int run(Arguments arguments, Console console) {
        LoadRequest request = arguments.request(links(arguments));
        if (!request.links().isEmpty()
                && !(request.files().isEmpty() && request.directories().isEmpty())) {
            throw new UsageFault("takes a link or files, not both");
        }
        Configuration configuration = Configurations.load(request);
        try {
            follow(configuration, request);
            LOG.log(Level.INFO, Origin.of(request));
            try (Plugins plugins = new Plugins(doors.system())) {
                return doors.serve(plugins.follow(configuration), new Source(request, plugins));
            }
        } finally {
            Log.close();
        }
    }

    private static List<String> links(Arguments arguments) {
        List<String> links = new ArrayList<>();
        for (String word : arguments.words()) {
            if (!ShadowsocksLink.isLink(word)) {
                throw new UsageFault("takes files behind -c, and links that begin with ss://");
            }
            links.add(word);
        }
        if (links.size() > 1) {
            throw new UsageFault("takes one link");
        }
        return links;
    }

    /// The files and plugins of a reload. The log changes only when the rest has.
    private record Source(LoadRequest request, Plugins plugins) implements ConfigurationSource {

        @Override
        public Configuration next() {
            Log.reopen();
            Configuration configuration = Configurations.load(request);
            Path file = fileOrNull(configuration.log(), request);
            if (file != null) {
                lookAt(file, configuration.log());
            }
            return plugins.prepare(configuration);
        }

        @Override
        public void taken(Configuration configuration) {
            plugins.commit();
            follow(configuration, request);
        }

        @Override
        public void refused() {
            plugins.takeBack();
        }
    }

    private static void follow(Configuration configuration, LoadRequest request) {
        LogSettings log = configuration.log();
        Path file = fileOrNull(log, request);
        if (file != null) {
            tryOut(file, log);
        }
        Log.configure(log.level(), file, log.timestamp());
        for (Findings.Finding warning : configuration.warnings()) {
            LOG.log(Level.WARNING, warning.withoutSeverity());
        }
    }

    private static @Nullable Path fileOrNull(LogSettings log, LoadRequest request) {
        String output = log.output();
        return output == null ? null : request.workDirectory().resolve(output);
    }

    /// Who asked for a log must not run without.
    private static void tryOut(Path file, LogSettings log) {
        try {
            LogFile.tryOut(file);
        } catch (IOException fault) {
            throw refused(file, log, String.valueOf(fault.getMessage()));
        }
    }

    /// The same as far as it shows without touching the file, which is not there to stay yet.
    private static void lookAt(Path file, LogSettings log) {
        String reason = LogFile.refusalOrNull(file);
        if (reason != null) {
            throw refused(file, log, reason);
        }
    }

    private static SystemFault refused(Path file, LogSettings log, String reason) {
        String place = log.outputPlace() + "  log.output: cannot write the log to " + file;
        return new SystemFault(place, 0, reason);
    }
}
