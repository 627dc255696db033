package sluice.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Measure;

/// What a report must know of the beds and cannot read in a log.
///
/// @param about bed name to what it measures and how; the order is that of the report
/// @param measures bed name to its figures, in order
public record Catalogue(Map<String, String> about, Map<String, List<Measure>> measures) {

    public Catalogue {
        about = new LinkedHashMap<>(about);
        measures = new LinkedHashMap<>(measures);
    }

    /// What some beds say of themselves.
    public static Catalogue of(Iterable<? extends Bed> beds) {
        Map<String, String> about = new LinkedHashMap<>();
        Map<String, List<Measure>> measures = new LinkedHashMap<>();
        for (Bed bed : beds) {
            about.put(bed.name(), bed.about());
            measures.put(bed.name(), bed.measures());
        }
        return new Catalogue(about, measures);
    }

    /// The figures of a bed; none for a bed that is not known.
    List<Measure> measuresOf(String bed) {
        return measures.getOrDefault(bed, List.of());
    }

    /// Where a bed stands in the report; unknown ones last.
    int rank(String bed) {
        int rank = new ArrayList<>(about.keySet()).indexOf(bed);
        return rank < 0 ? Integer.MAX_VALUE : rank;
    }
}
