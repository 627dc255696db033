package sluice.testkit;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The seeds 1 to n, or the one that `-Dseed=` asks for.
final class SeedSource implements ArgumentsProvider, AnnotationConsumer<Seeds> {
    static final String PROPERTY = "seed";

    private int count;

    @Override
    public void accept(Seeds seeds) {
        count = seeds.value();
    }

    @Override
    public Stream<Arguments> provideArguments(
            ParameterDeclarations parameters, ExtensionContext context) {
        @Nullable String asked = System.getProperty(PROPERTY);
        LongStream seeds =
                asked == null
                        ? LongStream.rangeClosed(1, count)
                        : LongStream.of(Long.parseLong(asked));
        return seeds.mapToObj(Arguments::of);
    }
}
