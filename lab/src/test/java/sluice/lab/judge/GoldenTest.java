package sluice.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The rules reproduce every count and mean that was published for eight tables.
final class GoldenTest {

    /// The one table whose mean cannot be had from its readings: they are whole MiB, some of one
    /// digit.
    private static final String ROUNDED = "engines memory";

    @Test
    void allEightTablesHaveThePublishedLeadsTiesAndLosses() {
        List<Published> all = Published.all();

        assertThat(all).hasSize(8);
        assertThat(all)
                .extracting(each -> each.table().rows().size())
                .containsExactly(54, 54, 54, 60, 36, 36, 36, 54);
        assertThat(all)
                .allSatisfy(each -> {
                    Score score = score(each);
                    assertThat(List.of(score.lead(), score.tie(), score.behind()))
                            .as(each.name())
                            .containsExactly(each.lead(), each.tie(), each.behind());
                    assertThat(score.withinNoise()).isZero();
                });
    }

    @Test
    void allTablesButTheRoundedOneHaveThePublishedMean() {
        List<Published> exact =
                Published.all().stream().filter(each -> !each.name().equals(ROUNDED)).toList();

        assertThat(exact).hasSize(7);
        assertThat(exact)
                .allSatisfy(each ->
                        assertThat(twoDecimals(mean(each)))
                                .as(each.name())
                                .isEqualTo(each.geometricMean()));
    }

    @Test
    void thePublishedMeanOfTheRoundedTableIsWithinWhatItsRoundingAllows() {
        Published memory =
                Published.all().stream()
                        .filter(each -> each.name().equals(ROUNDED))
                        .findFirst()
                        .orElseThrow();
        double published = Double.parseDouble(memory.geometricMean());

        assertThat(mean(memory)).isBetween(published - 0.02, published);
        assertThat(mean(memory, +0.5)).as("least").isLessThan(published - 0.01);
        assertThat(mean(memory, -0.5)).as("most").isGreaterThan(published + 0.01);
    }

    private static Score score(Published published) {
        return Score.of(Judge.verdicts(published.table()));
    }

    private static double mean(Published published) {
        return Objects.requireNonNull(score(published).geometricMean());
    }

    /// The mean when every own reading is `own` more than printed and every other one as much less.
    private static double mean(Published published, double own) {
        Table table = published.table();
        List<Table.Row> rows =
                table.rows().stream()
                        .map(row -> {
                            Table.Row moved = new Table.Row(row.each(), row.readings());
                            moved.readings()
                                    .replaceAll((engine, reading) ->
                                            moved(
                                                    reading,
                                                    engine.equals(table.subject()) ? own : -own));
                            return moved;
                        })
                        .toList();
        Table other =
                new Table(
                        table.bed(),
                        table.settings(),
                        table.measure(),
                        table.subject(),
                        table.engines(),
                        rows);
        return Objects.requireNonNull(Score.of(Judge.verdicts(other)).geometricMean());
    }

    private static Reading moved(Reading reading, double by) {
        return reading instanceof Reading.Figures figures
                ? new Reading.Figures(List.of(figures.median() + by))
                : reading;
    }

    private static String twoDecimals(double value) {
        return new BigDecimal(value).setScale(2, RoundingMode.HALF_UP).toPlainString();
    }
}
