package sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static sluice.lab.report.Synthetic.run;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import sluice.lab.bed.Case;
import sluice.lab.log.RunLog;
import sluice.lab.log.RunRecord;

final class PageTest {
    private static final Case VLESS = Case.of("protocol", "vless", "streams", "8");

    /// What would be markup if it were not escaped, in HTML and in Markdown, and what is no
    /// character of XML.
    private static final String EVIL =
            "<script>alert(\"1\")</script> &amp; | pipe `tick` *star* [a](b) \u001b \u0000 \ud800";

    @Test
    void lossesStandBeforeTiesAndTiesBeforeLeads() {
        String page = markdown(sample());

        assertThat(page)
                .containsSubsequence(
                        "## In short",
                        "## Where Sluice is behind",
                        "## Ties within the noise that look like losses",
                        "## Where Sluice leads",
                        "## What could not finish",
                        "## Bed: engine",
                        "## Bed: ladder",
                        "## Conditions",
                        "## Limits");
    }

    @Test
    void aLossSaysBothFiguresTheRatioAndItsInterval() {
        Report report =
                report(
                        run("ladder", VLESS, "sluice").value("speed", 499).record(1),
                        run("ladder", VLESS, "sluice").round(2).value("speed", 501).record(2),
                        run("ladder", VLESS, "xray").value("speed", 1000).record(3),
                        run("ladder", VLESS, "xray").round(2).value("speed", 1000).record(4));

        assertThat(markdown(report))
                .contains(
                        """
                        1. **0.50×** (0.49–0.51×) ladder, speed: **VLESS · 8 streams**\s\s
                           sluice 500 MB/s (499–501); xray 1,000 MB/s (1,000–1,000)\s\s
                           cause: not looked into yet
                        """);
    }

    @Test
    void aCauseThatSomebodyWroteDownStandsWithItsLoss() {
        Report report =
                report(
                        run("ladder", VLESS, "sluice").value("speed", 1).record(1),
                        run("ladder", VLESS, "xray").value("speed", 2).record(2));
        Causes causes =
                new Causes(List.of(new Causes.Entry("ladder", "*", "vless*", "one copy | more")));

        assertThat(Markdown.of(ReportPage.of(report, Synthetic.CATALOGUE, causes)))
                .contains("cause: one copy \\| more")
                .doesNotContain(Causes.UNKNOWN);
    }

    @Test
    void oneRoundIsSaidToHaveNoInterval() {
        Report report =
                report(
                        run("ladder", VLESS, "sluice").value("speed", 1).record(1),
                        run("ladder", VLESS, "xray").value("speed", 2).record(2));

        assertThat(markdown(report)).contains("measured in one round only", "(no interval)");
    }

    @Test
    void theHtmlIsWellFormedAndLoadsNothing() throws IOException {
        Document page = parse(html(sample()));

        assertThat(elements(page, "script")).isEmpty();
        assertThat(elements(page, "link")).isEmpty();
        assertThat(elements(page, "img")).isEmpty();
        assertThat(elements(page, "*"))
                .allSatisfy(each -> {
                    assertThat(each.hasAttribute("src")).isFalse();
                    assertThat(each.hasAttribute("href")).isFalse();
                });
        assertThat(elements(page, "style").getFirst().getTextContent())
                .doesNotContain("url(", "@import")
                .contains("prefers-color-scheme: dark", "@media print");
        assertThat(elements(page, "meta").getFirst().getAttribute("charset")).isEqualTo("utf-8");
        assertThat(elements(page, "meta").get(1).getAttribute("name")).isEqualTo("viewport");
    }

    @Test
    void everyTableIsInABoxThatScrollsAndEveryRowIsWhole() throws IOException {
        for (Element table : elements(parse(html(sample())), "table")) {
            Element box = (Element) table.getParentNode();
            assertThat(box.getAttribute("class")).isEqualTo("scroll");
            int columns = cells(elements(table, "tr").getFirst());
            assertThat(elements(table, "tr")).allMatch(row -> cells(row) == columns);
        }
    }

    @Test
    void theBestIsMarkedWithASignAndWhatIsNotThereWithAWord() throws IOException {
        Document page = parse(html(sample()));
        List<Element> best =
                elements(page, "td").stream()
                        .filter(each -> each.getAttribute("class").contains("best"))
                        .toList();

        assertThat(best).isNotEmpty().allMatch(each -> each.getTextContent().startsWith("★ "));
        List<String> texts = elements(page, "td").stream().map(Element::getTextContent).toList();
        assertThat(texts).contains("–", "failed", "lead", "tie");
    }

    @Test
    void thereIsOneChartForEachMeasureOfTheEnginesAndOneForTheLadder() throws IOException {
        List<Element> charts =
                elements(parse(html(sample())), "figure").stream()
                        .filter(each -> each.getAttribute("class").equals("chart"))
                        .toList();

        assertThat(charts).hasSize(4);
        assertThat(charts)
                .extracting(each -> elements(each, "figcaption").getFirst().getTextContent())
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("throughput in Mbit/s, 8 streams"),
                        each -> assertThat(each).startsWith("cpu in s/GiB, 8 streams"),
                        each -> assertThat(each).startsWith("memory in MiB, 8 streams"),
                        each -> assertThat(each).startsWith("speed in MB/s: longer"));
        assertThat(elements(charts.getFirst(), "svg")).hasSize(28);
        assertThat(elements(charts.getFirst(), "text")).hasSizeGreaterThan(28 * 4);
    }

    @Test
    void nothingInALogBecomesMarkup() throws IOException {
        Case each = Case.of("protocol", EVIL, "streams", "8");
        Report report =
                Report.of(
                        new RunLog.Content(
                                List.of(
                                        run("ladder", each, "sluice")
                                                .binary(EVIL, "aa")
                                                .value("speed", 1)
                                                .record(1),
                                        run("ladder", each, EVIL)
                                                .cpu("Example CPU, 8 cores")
                                                .value("speed", 2)
                                                .record(2),
                                        run("ladder", each, "xray").failed(EVIL).record(3)),
                                List.of("line 7: " + EVIL)),
                        Synthetic.CATALOGUE);
        Document page = parse(html(report));

        assertThat(elements(page, "script")).isEmpty();
        assertThat(page.getDocumentElement().getTextContent())
                .contains("<script>alert(\"1\")</script> &amp; | pipe");
        String markdown = markdown(report);
        List<String> rows = markdown.lines().filter(line -> line.startsWith("|")).toList();
        assertThat(markdown).doesNotContain("<script").contains("\\| pipe \\`tick\\` \\*star\\*");
        assertThat(rows)
                .filteredOn(row -> row.contains("alert") && row.contains("★"))
                .singleElement()
                .satisfies(row -> assertThat(unescapedPipes(row)).isEqualTo(7));
    }

    @Test
    void aTableInMarkdownHasAsManyCellsInEveryRow() {
        int columns = 0;
        for (String line : markdown(sample()).lines().toList()) {
            if (line.startsWith("|")) {
                int here = unescapedPipes(line);
                columns = columns == 0 ? here : columns;
                assertThat(here).as(line).isEqualTo(columns);
            } else {
                columns = 0;
            }
        }
    }

    @Test
    void configurationsThatDifferInPortsAloneAreShownOnce() {
        Report report =
                report(
                        run("ladder", VLESS, "sluice").value("speed", 1).record(1),
                        run("ladder", VLESS, "sluice").round(2).value("speed", 1).record(2),
                        run("engine", VLESS, "sluice").value("cpu", 1).record(3));

        assertThat(report.configurations())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.files().get("config.json")).contains("20003");
                    assertThat(each.uses()).containsExactly("ladder VLESS", "engine VLESS");
                });
        assertThat(html(report)).contains("<details>");
    }

    @Test
    void aFenceIsLongerThanTheTicksInside() {
        Page page = new Page("t", List.of(new Page.Code("a\n````\nb")));

        assertThat(Markdown.of(page)).isEqualTo("# t\n\n`````\na\n````\nb\n`````\n\n");
    }

    @Test
    void aBusyMachineAndUnreadableLinesAreSaidAtTheTop() {
        Report report =
                Report.of(
                        new RunLog.Content(
                                List.of(
                                        run("ladder", VLESS, "sluice")
                                                .busy(true)
                                                .value("speed", 1)
                                                .record(1)),
                                List.of("line 3: is torn")),
                        Synthetic.CATALOGUE);

        assertThat(markdown(report))
                .containsSubsequence(
                        "1 run of 1 began while the machine was busy",
                        "1 line of the log could not be read",
                        "## In short",
                        "busy_share 0.42",
                        "line 3: is torn");
    }

    @Test
    void numbersLookTheSameEverywhere() {
        assertThat(
                        List.of(0.0, 0.01234, 0.5, 1.0, 1.005, 9.999, 12.34, 99.97, 1234.5, 1e7)
                                .stream()
                                .map(Figure::text))
                .containsExactly(
                        "0",
                        "0.0123",
                        "0.5",
                        "1.00",
                        "1.01",
                        "10.00",
                        "12.3",
                        "100.0",
                        "1,235",
                        "10,000,000");
        assertThat(Figure.text(-0.5)).isEqualTo("-0.5");
        assertThat(Figure.text(-12345)).isEqualTo("-12,345");
        assertThat(Figure.ratio(0.954)).isEqualTo("0.95×");
        assertThat(Figure.ratio(0.0123)).isEqualTo("0.012×");
        assertThat(Figure.ratio(1234)).isEqualTo("1,234×");
        assertThat(Figure.ratio(Double.POSITIVE_INFINITY)).isEqualTo("over 1,000,000×");
    }

    private static Report sample() {
        return Report.of(Synthetic.content(Synthetic.whole(7)), Synthetic.CATALOGUE);
    }

    private static Report report(RunRecord... runs) {
        return Report.of(Synthetic.content(List.of(runs)), Synthetic.CATALOGUE);
    }

    private static String markdown(Report report) {
        return Markdown.of(ReportPage.of(report, Synthetic.CATALOGUE, Causes.NONE));
    }

    private static String html(Report report) {
        return Html.of(ReportPage.of(report, Synthetic.CATALOGUE, Causes.NONE));
    }

    private static int unescapedPipes(String row) {
        return (int)
                row.replace("\\\\", "").replace("\\|", "").chars().filter(c -> c == '|').count();
    }

    private static Document parse(String html) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(html)));
        } catch (SAXException | ParserConfigurationException broken) {
            throw new AssertionError(broken);
        }
    }

    private static List<Element> elements(Object within, String tag) {
        NodeList nodes =
                within instanceof Document page
                        ? page.getElementsByTagName(tag)
                        : ((Element) within).getElementsByTagName(tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static int cells(Element row) {
        return elements(row, "td").size() + elements(row, "th").size();
    }
}
