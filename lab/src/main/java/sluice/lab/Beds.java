package sluice.lab;

import java.util.List;
import sluice.lab.bed.Bed;
import sluice.lab.bed.EngineBed;
import sluice.lab.bed.SelfCheckBed;

/// The beds, in the order of the report. A further one is a line here.
final class Beds {

    private Beds() {}

    static List<Bed> all() {
        return List.of(new EngineBed(), new SelfCheckBed());
    }
}
