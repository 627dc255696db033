package sluice.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
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
                _ -> new Found(List.of(), List.of(), Assembly::certificate),
                Judge::decided,
                Assembly::peers,
                (request, out, err) -> ReportCommand.run(request, catalogue, out, err),
                (one, other, out, err) -> CompareCommand.run(one, other, catalogue, out, err));
    }

    private static Found.Pair certificate(Path folder) throws IOException {
        throw new IOException("no engine needs a certificate in " + folder);
    }

    private static void peers(Found found, PrintStream out) {
        out.println(found.installed().size() + " engines were found");
    }
}
