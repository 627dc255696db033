package sluice.lab;

import java.util.List;
import sluice.lab.bed.Bed;
import sluice.lab.bed.EngineBed;
import sluice.lab.bed.LadderBed;
import sluice.lab.bed.LatencyBed;
import sluice.lab.bed.NodeBed;
import sluice.lab.bed.RateBed;
import sluice.lab.bed.SelfCheckBed;
import sluice.lab.bed.WakeBed;

/// The beds, in the order of the report. A further one is a line here.
final class Beds {

    private Beds() {}

    static List<Bed> all() {
        return List.of(
                new EngineBed(),
                new NodeBed(),
                new LadderBed(),
                new LatencyBed(),
                new RateBed(),
                new WakeBed(),
                new SelfCheckBed());
    }
}
