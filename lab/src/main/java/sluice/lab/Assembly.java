package sluice.lab;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.lab.engine.Certificate;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Engines;
import sluice.lab.engine.PeersPage;
import sluice.lab.engine.Roster;
import sluice.lab.judge.Judge;
import sluice.lab.report.Catalogue;
import sluice.lab.report.CompareCommand;
import sluice.lab.report.ReportCommand;

/// Puts the product's command line together.
final class Assembly {

    private Assembly() {}

    static Parts parts() {
        Catalogue catalogue = Catalogue.of(Beds.all());
        return new Parts(
                Beds.all(),
                Assembly::find,
                Judge::decided,
                Assembly::peers,
                (request, out, err) -> ReportCommand.run(request, catalogue, out, err),
                (one, other, out, err) -> CompareCommand.run(one, other, catalogue, out, err));
    }

    private static Found find(@Nullable Path peers) throws InterruptedException {
        List<Engine> known = Engines.all();
        Roster.Found found = Roster.of(peers).find(known);
        return new Found(known, found.installed(), found.unusable(), Certificate::make);
    }

    private static void peers(Found found, PrintStream out) {
        PeersPage.print(found.known(), found.installed(), found.unusable(), out);
    }
}
