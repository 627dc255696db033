package sluice.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PercentilesTest {

    @Test
    void ofAThousandValuesEachRankIsItsValue() {
        long[] values = LongStream.rangeClosed(1, 1000).map(each -> 1001 - each).toArray();
        Percentiles percentiles = new Percentiles(values);
        assertThat(LongStream.of(1, 500, 900, 990, 999, 1000).map(q -> percentiles.at((int) q)))
                .containsExactly(1L, 500L, 900L, 990L, 999L, 1000L);
    }

    @Test
    void ofTenValuesTheHighOnesAreTheLargest() {
        Percentiles percentiles = new Percentiles(10, 20, 30, 40, 50, 60, 70, 80, 90, 100);
        assertThat(percentiles.at(500)).isEqualTo(50);
        assertThat(percentiles.at(501)).isEqualTo(60);
        assertThat(percentiles.at(900)).isEqualTo(90);
        assertThat(percentiles.at(990)).isEqualTo(100);
        assertThat(percentiles.at(999)).isEqualTo(100);
    }

    @Test
    void ofOneValueAllAreThatValue() {
        Percentiles percentiles = new Percentiles(7);
        assertThat(percentiles.at(1)).isEqualTo(7);
        assertThat(percentiles.at(999)).isEqualTo(7);
    }

    @Test
    void refusesNoValuesAndOtherShares() {
        assertThatThrownBy(Percentiles::new).hasMessageContaining("no values");
        assertThatThrownBy(() -> new Percentiles(1).at(0)).hasMessageContaining("0 is not");
        assertThatThrownBy(() -> new Percentiles(1).at(1001)).hasMessageContaining("1001 is not");
    }

    @Test
    void thePingerDropsTheFirstTenth() {
        long[] nanos = LongStream.rangeClosed(1, 2000).map(each -> each * 1000).toArray();
        nanos[0] = 1_000_000_000;
        nanos[199] = 1_000_000_000;
        assertThat(Pinger.result(nanos, ""))
                .containsEntry("count", 1800)
                .containsEntry("p50", 1100.0)
                .containsEntry("p90", 1820.0)
                .containsEntry("p99", 1982.0)
                .containsEntry("p99.9", 1999.0);
    }
}
