package sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sluice.lab.log.RunLog;
import sluice.testkit.Peers;
import sluice.testkit.Program;

/// The page in Debian's Chromium. A copy of it gets a script that tells a frame around it what it
/// measured; the page itself has none. The frame is there because no window is as narrow as a
/// phone.
final class BrowserTest {
    private static final String FRAME =
            """
            <!DOCTYPE html><title>nothing measured</title>
            <script>onmessage = event => { document.title = event.data; };</script>
            <iframe src="page.html" style="border: 0; width: WIDTHpx; height: 900px"></iframe>
            """;

    private static final String MEASURE =
            """
            <script>
            const all = selector => Array.from(document.querySelectorAll(selector));
            const right = each => Math.ceil(each.getBoundingClientRect().right);
            parent.postMessage([
              'inner=' + window.innerWidth,
              'scroll=' + document.documentElement.scrollWidth,
              'tables=' + all('table').length,
              'shown=' + all('table').filter(t => t.checkVisibility()).length,
              'folded=' + all('details table').length,
              'boxes=' + Math.max(...all('.scroll, pre, p, li, h1, h2, h3, svg').map(right)),
              'labels=' + Math.max(...all('svg text').map(right)),
              'wider=' + all('.scroll').filter(s => s.scrollWidth > s.clientWidth).length
            ].join(' '), '*');
            </script>
            """;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {360, 1280})
    void theWholePageFitsAndAllTablesAreThere(int width) throws IOException {
        Path chromium = Peers.require("chromium");
        Page page =
                ReportPage.of(
                        Report.of(
                                new RunLog.Content(Synthetic.whole(11), List.of("line 1")),
                                Synthetic.CATALOGUE),
                        Synthetic.CATALOGUE,
                        Causes.NONE);

        Map<String, Integer> measured = measured(chromium, width, Html.of(page));

        assertThat(measured).containsEntry("inner", width);
        assertThat(measured.get("scroll")).as("width of the page").isLessThanOrEqualTo(width);
        assertThat(measured.get("boxes")).as("the widest block").isLessThanOrEqualTo(width);
        assertThat(measured.get("labels")).as("the widest label").isLessThanOrEqualTo(width);
        assertThat(measured).containsEntry("tables", tables(page.blocks()));
        assertThat(measured.get("shown"))
                .isEqualTo(measured.get("tables") - measured.get("folded"))
                .isGreaterThan(6);
        if (width == 360) {
            assertThat(measured.get("wider")).as("tables that scroll").isGreaterThan(3);
        }
    }

    private Map<String, Integer> measured(Path chromium, int width, String html)
            throws IOException {
        Path frame = folder.resolve("frame.html");
        Files.writeString(frame, FRAME.replace("WIDTH", String.valueOf(width)));
        Files.writeString(
                folder.resolve("page.html"), html.replace("</body>", MEASURE + "</body>"));
        Program.Result result =
                Program.run(
                        chromium,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=1400,1000",
                        "--virtual-time-budget=5000",
                        "--dump-dom",
                        frame.toUri());
        Matcher title = Pattern.compile("<title>(inner=[^<]*)</title>").matcher(result.out());
        assertThat(title.find()).as("what was measured; %s", result.err()).isTrue();
        Map<String, Integer> measured = new LinkedHashMap<>();
        for (String each : title.group(1).split(" ", -1)) {
            int equals = each.indexOf('=');
            measured.put(each.substring(0, equals), Integer.valueOf(each.substring(equals + 1)));
        }
        return measured;
    }

    private static int tables(Iterable<Page.Block> blocks) {
        int tables = 0;
        for (Page.Block block : blocks) {
            tables +=
                    switch (block) {
                        case Page.Grid _ -> 1;
                        case Page.Folded folded -> tables(folded.blocks());
                        default -> 0;
                    };
        }
        return tables;
    }
}
