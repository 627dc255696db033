package sluice.lab.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import sluice.lab.bed.Bed;
import sluice.lab.bed.Bench;
import sluice.lab.bed.Case;
import sluice.lab.bed.Measure;
import sluice.lab.bed.Readings;
import sluice.lab.bed.Settings;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;
import sluice.lab.process.Child;

/// Starts an engine, waits a moment, and says a number. An engine that ends by then has failed; one
/// that is called `endless` makes it wait for ever.
public final class FakeBed implements Bed {

    private final long millis;

    public FakeBed(long millis) {
        this.millis = millis;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String about() {
        return "Says numbers.";
    }

    @Override
    public List<Measure> measures() {
        return List.of(new Measure("speed", "m/s", true));
    }

    @Override
    public List<Case> cases(Settings settings) {
        return List.of(Case.of("kind", "one"), Case.of("kind", "two"));
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public boolean has(Case each, Installed engine) {
        return !engine.name().equals("without");
    }

    @Override
    public Duration estimate(Case each, Settings settings) {
        return Duration.ofMillis(millis);
    }

    @Override
    public Readings run(Case each, Installed engine, Settings settings, Bench bench)
            throws IOException, InterruptedException {
        Wiring wiring = new Wiring(Protocol.FORWARD, List.of(), 0, "", "");
        Child child = bench.engine("under test", engine, wiring, Role.CLIENT);
        if (engine.name().equals("endless")) {
            // Deaf to interruption too, as a bed with a mistake may be.
            while (child.alive()) {
                Thread.onSpinWait();
            }
        }
        Integer code = child.await(Duration.ofMillis(millis));
        if (code != null) {
            throw new IOException("ended with " + code + ": " + child.lastWords());
        }
        double speed = engine.name().equals("nothing") ? Double.NaN : 1;
        return new Readings(Map.of("speed", speed), Map.of("code", 0L));
    }
}
