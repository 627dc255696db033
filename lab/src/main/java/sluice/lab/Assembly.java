package sluice.lab;

import java.io.IOException;
import java.util.List;
import sluice.lab.judge.Judge;

/// Puts the product's command line together.
final class Assembly {

    private Assembly() {}

    static Parts parts() {
        return new Parts(
                Beds.all(),
                _ -> new Found(List.of(), List.of(), _ -> { throw new IOException("none"); }),
                Judge::decided,
                (_, out) -> out.println("none"),
                (_, _, _, _, _) -> Main.FAILED,
                (_, _, _, _) -> Main.FAILED);
    }
}
