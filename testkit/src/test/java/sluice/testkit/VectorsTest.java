package sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class VectorsTest {
    @Test
    void readsHexTextCommentsAndContinuedLines() {
        Vectors vectors =
                Vectors.parse(
                        "here",
                        """
                        # Made up for this test.
                        key = 00 01:ff   # three bytes
                        long = 0a0b
                            0c0d
                        name = "a # b"
                        empty =
                        """);

        assertThat(vectors.names()).containsExactly("key", "long", "name", "empty");
        assertThat(vectors.get("key")).containsExactly(0x00, 0x01, 0xff);
        assertThat(vectors.get("long")).containsExactly(0x0a, 0x0b, 0x0c, 0x0d);
        assertThat(vectors.text("name")).isEqualTo("a # b");
        assertThat(vectors.get("empty")).isEmpty();
    }

    @Test
    void readsASingleVectorFromAResource() {
        assertThat(Vectors.bytes("testkit/single.hex")).containsExactly(0xca, 0xfe);
    }

    @Test
    void saysWhereAVectorIsMalformed() {
        assertThatThrownBy(() -> Vectors.parse("here", "a = 00\nb = 0g"))
                .hasMessageContaining("vectors/here: b is not hex");
        assertThatThrownBy(() -> Vectors.parse("here", "a = 00\na = 01"))
                .hasMessageContaining("line 2: a stands twice");
        assertThatThrownBy(() -> Vectors.parse("here", "00"))
                .hasMessageContaining("line 1: no name");
    }
}
