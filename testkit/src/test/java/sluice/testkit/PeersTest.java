package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

final class PeersTest {
    @TempDir private Path directory;

    @Test
    void findsOnlyWhatCanBeExecuted() throws IOException {
        Path program = Files.createFile(directory.resolve("peer"));
        assertThat(Peers.find("peer", directory.toString())).isEmpty();

        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Peers.find("peer", "/nowhere::" + directory)).contains(program);
    }

    @Test
    void skipsTheTestWithoutThePeer() {
        assertThatThrownBy(() -> Peers.missing("peer", false))
                .isInstanceOf(TestAbortedException.class);
    }

    @Test
    void failsTheTestWhenPeersAreRequired() {
        assertThatThrownBy(() -> Peers.missing("peer", true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("peer is neither in PEERS nor on PATH");
    }
}
