package sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static sluice.lab.report.Synthetic.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import sluice.lab.bed.Case;
import sluice.lab.judge.Judge;
import sluice.lab.judge.Reading;
import sluice.lab.judge.Reading.Figures;
import sluice.lab.judge.Verdict.Kind;
import sluice.lab.log.RunRecord;
import sluice.lab.log.RunRecord.Outcome;

final class ReportTest {
    private static final Case VLESS = each("vless", "8");
    private static final Case TROJAN = each("trojan", "8");

    @Test
    void eachBedSettingAndMeasureHasATable() {
        Report report =
                report(
                        ladder("sluice", 1).record(1),
                        run("engine", VLESS, "sluice").round(2).value("memory", 1).record(2),
                        run("engine", VLESS, "sluice").value("throughput", 1).record(3),
                        run("engine", VLESS, "sluice")
                                .settings("quick")
                                .value("throughput", 1)
                                .record(4));

        assertThat(report.parts())
                .extracting(
                        part -> part.table().bed(),
                        part -> part.table().settings().substring(0, 5),
                        part -> part.table().measure().name())
                .containsExactly(
                        tuple("engine", "full,", "throughput"),
                        tuple("engine", "full,", "memory"),
                        tuple("engine", "quick", "throughput"),
                        tuple("ladder", "full,", "speed"));
    }

    @Test
    void sluiceIsTheFirstColumnAndTheOthersHaveAFixedOrder() {
        Report report =
                report(
                        ladder("zebra", 1).record(1),
                        ladder("haproxy", 1).record(2),
                        ladder("Xray", 1).record(3),
                        ladder("sing-box", 1).record(4),
                        ladder("sluice", 1).record(5));

        assertThat(report.parts().getFirst().table().engines())
                .containsExactly("sluice", "sing-box", "Xray", "haproxy", "zebra");
        assertThat(report.parts().getFirst().table().subject()).isEqualTo("sluice");
    }

    @Test
    void figuresStandByTheirRoundsAndFailuresKeepTheirReason() {
        Report report =
                report(
                        ladder("sluice", 3).round(3).record(1),
                        ladder("sluice", 1).round(1).record(2),
                        ladder("sluice", 0).round(2).failed("hung").record(3),
                        ladder("xray", 0).failed("crashed").record(4),
                        ladder("xray", 0).round(2).failed("crashed").record(5),
                        ladder("mihomo", 0).outcome(Outcome.UNSUPPORTED).record(6));

        Part part = report.parts().getFirst();
        var row = part.table().rows().getFirst();
        assertThat(Judge.reading(row, "sluice"))
                .isEqualTo(new Figures(List.of(1.0, 3.0), List.of(1, 3)));
        assertThat(Judge.reading(row, "xray")).isEqualTo(new Reading.Failed("crashed"));
        assertThat(Judge.reading(row, "mihomo")).isEqualTo(new Reading.Unsupported());
        assertThat(part.failedRounds()).containsOnly(Map.entry(new Part.Cell(VLESS, "sluice"), 1));
        assertThat(report.failures())
                .extracting(each -> each.run().engine(), each -> each.rounds())
                .containsExactly(tuple("sluice", List.of(2)), tuple("xray", List.of(1, 2)));
    }

    @Test
    void aCaseThatNobodyFinishedHasARowAndDoesNotCount() {
        Report report =
                report(
                        ladder("sluice", 0).failed("a").record(1),
                        ladder("xray", 0).failed("b").record(2),
                        run("ladder", TROJAN, "sluice").value("speed", 2).record(3),
                        run("ladder", TROJAN, "xray").value("speed", 1).record(4));

        Part part = report.parts().getFirst();
        assertThat(part.table().rows())
                .extracting(row -> row.each())
                .containsExactly(VLESS, TROJAN);
        assertThat(part.score().rows()).isEqualTo(1);
    }

    @Test
    void aLogOfFailuresAloneIsAReportToo() {
        Report report =
                report(
                        ladder("sluice", 0).failed("a").record(1),
                        ladder("xray", 0).failed("b").record(2));

        assertThat(report.parts()).hasSize(1);
        assertThat(report.parts().getFirst().score().rows()).isZero();
        assertThat(report.failures()).hasSize(2);
        assertThat(Markdown.of(ReportPage.of(report, Synthetic.CATALOGUE, Causes.NONE)))
                .contains("failed");
    }

    @Test
    void theBinaryThatWasMeasuredLastCountsAndTheOthersAreNamed() {
        Report report =
                report(
                        ladder("sluice", 1).record(1),
                        ladder("xray", 50).binary("Xray 1", "aaaa").record(2),
                        ladder("xray", 2).binary("Xray 2", "bbbb").record(3));

        assertThat(report.runs()).isEqualTo(2);
        assertThat(Judge.reading(report.parts().getFirst().table().rows().getFirst(), "xray"))
                .isEqualTo(new Figures(List.of(2.0)));
        assertThat(report.notes())
                .singleElement()
                .asString()
                .contains("Xray 2 (SHA-256 bbbb…)", "Left out: 1 run of Xray 1 (SHA-256 aaaa…)");
    }

    @Test
    void machinesAreKeptApart() {
        Report report =
                report(
                        ladder("sluice", 1).record(1),
                        ladder("xray", 9).cpu("another").record(2),
                        ladder("sluice", 10).cpu("another").busy(true).record(3));

        assertThat(report.machines().keySet()).containsExactly("A", "B");
        assertThat(report.parts()).extracting(Part::machine).containsExactly("A", "B");
        assertThat(report.parts()).extracting(Part::judged).containsExactly(false, true);
        assertThat(report.notes().getFirst()).contains("2 machines", "kept apart");
        assertThat(report.busy()).hasSize(1);
    }

    @Test
    void aRoundThatWasMeasuredTwiceCountsOnceAndItsFailureStays() {
        Report report =
                report(
                        ladder("sluice", 0).failed("first try").record(1),
                        ladder("sluice", 5).record(2),
                        ladder("sluice", 7).record(3));

        assertThat(Judge.reading(report.parts().getFirst().table().rows().getFirst(), "sluice"))
                .isEqualTo(new Figures(List.of(7.0)));
        assertThat(report.failures()).hasSize(1);
        assertThat(report.notes()).singleElement().asString().contains("1 run finished a round");
    }

    @Test
    void lossesAreSortedByWidthWithFailuresFirst() {
        List<RunRecord> runs = new ArrayList<>();
        double[] own = {80, 0, 50, 120};
        for (int i = 0; i < own.length; i++) {
            Case each = each("vless", String.valueOf(i));
            var mine = run("ladder", each, "sluice");
            runs.add((own[i] == 0 ? mine.failed("x") : mine.value("speed", own[i])).record(i));
            runs.add(run("ladder", each, "xray").value("speed", 100).record(9 + i));
        }
        Report report = report(runs.toArray(RunRecord[]::new));

        assertThat(report.losses())
                .extracting(each -> each.each().label("streams"))
                .containsExactly("1", "2", "0");
        assertThat(report.findings(Kind.LEAD)).hasSize(1);
    }

    @Test
    void aTieThatLooksLikeALossIsFound() {
        Report report =
                report(
                        ladder("sluice", 50).record(1),
                        ladder("sluice", 100).round(2).record(2),
                        ladder("xray", 90).record(3),
                        ladder("xray", 95).round(2).record(4));

        assertThat(report.losses()).isEmpty();
        assertThat(report.hiddenLosses()).hasSize(1);
    }

    @Test
    void aFigureThatNoBedToldOfIsShownAndNotJudged() {
        Report report =
                report(
                        run("ladder", VLESS, "sluice").value("wonder", 1).record(1),
                        run("ladder", VLESS, "xray").value("wonder", 2).record(2));

        assertThat(report.parts().getFirst().judged()).isFalse();
        assertThat(page(report)).contains("wonder", "does not know this figure");
    }

    @Test
    void casesAreInTheOrderOfProtocolsAndNumbers() {
        assertThat(
                        CaseOrder.sorted(
                                List.of(
                                        each("trojan", "64"),
                                        each("vless", "8"),
                                        each("trojan", "8"),
                                        each("trojan", "64"),
                                        each("forward", "1"))))
                .extracting(Case::toString)
                .containsExactly("forward 1", "vless 8", "trojan 8", "trojan 64");
    }

    @Test
    void theSameRunsMakeTheSameBytesInAnyOrder() {
        List<RunRecord> runs = Synthetic.whole(3);
        List<RunRecord> shuffled = new ArrayList<>();
        runs.forEach(run -> shuffled.add(RunRecord.ofLine(run.toLine())));
        Collections.shuffle(shuffled, new Random(1));
        Report one = Report.of(Synthetic.content(runs), Synthetic.CATALOGUE);
        Report other = Report.of(Synthetic.content(shuffled), Synthetic.CATALOGUE);

        assertThat(page(other)).isEqualTo(page(one));
        assertThat(Html.of(ReportPage.of(other, Synthetic.CATALOGUE, Causes.NONE)))
                .isEqualTo(Html.of(ReportPage.of(one, Synthetic.CATALOGUE, Causes.NONE)));
    }

    private static Synthetic.Draft ladder(String engine, double speed) {
        return run("ladder", VLESS, engine).value("speed", speed);
    }

    private static Case each(String protocol, String streams) {
        return Case.of("protocol", protocol, "streams", streams);
    }

    private static Report report(RunRecord... runs) {
        return Report.of(Synthetic.content(List.of(runs)), Synthetic.CATALOGUE);
    }

    private static String page(Report report) {
        return Markdown.of(ReportPage.of(report, Synthetic.CATALOGUE, Causes.NONE));
    }
}
