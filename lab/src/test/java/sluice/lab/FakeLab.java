package sluice.lab;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import sluice.lab.engine.Certificate;
import sluice.lab.engine.Installed;
import sluice.lab.run.FakeBed;
import sluice.lab.run.FakeEngine;

/// The lab's command line with a fake bed and fake engines, as a program.
final class FakeLab {

    private FakeLab() {}

    public static void main(String[] line) {
        System.exit(lab(System.out, System.err).run(List.of(line)));
    }

    static Main lab(PrintStream out, PrintStream err) {
        // Each leaves its session, so that only the mark finds it.
        String forks = "setsid sh -c 'sleep 301 & sleep 302' & exec sleep 303";
        List<Installed> found =
                List.of(
                        FakeEngine.installed("sluice", forks),
                        FakeEngine.installed("other", forks));
        Parts parts =
                new Parts(
                        List.of(new FakeBed(300)),
                        _ ->
                                new Found(
                                        List.of(
                                                found.get(0).engine(),
                                                found.get(1).engine(),
                                                new FakeEngine("absent", "")),
                                        found,
                                        Map.of(),
                                        folder -> new Certificate(folder, folder)),
                        (_, _) -> true,
                        (all, to) -> to.println(all.known().size() + " engines"),
                        (request, to, _) -> {
                            to.println("report of " + request.log());
                            return 0;
                        },
                        (one, other, to, _) -> {
                            to.println(one + " and " + other);
                            return 0;
                        });
        return new Main(parts, out, err);
    }
}
