package sluice.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.provider.ArgumentsSource;

/// Runs a `@ParameterizedTest` with a `long seed` parameter once for each of [#value] seeds. The
/// seeds are the same in every run. A failing run prints its seed; `-Dseed=…` runs that one alone.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SeedSource.class)
@ExtendWith(SeedReport.class)
public @interface Seeds {
    /// How many seeds.
    int value();
}
