package sluice.base.buf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class BufTest {

    private final BufPool pool = new BufPool(new BufBudget(16 << 20));

    @Test
    void beginsEmptyWithAllItsRoomBehind() {
        Buf buf = pool.acquire(100);

        assertThat(buf.isEmpty()).isTrue();
        assertThat(buf.length()).isZero();
        assertThat(buf.headroom()).isZero();
        assertThat(buf.tailroom()).isEqualTo(buf.array().length).isGreaterThanOrEqualTo(100);
        buf.release();
    }

    @Test
    void appendsAndReadsBigEndian() {
        Buf buf = pool.acquire(100);
        buf.put(0x1ff);
        buf.putShort(0xabcd);
        buf.putLong(0x0102_0304_0506_0708L);
        buf.put("xy".getBytes(StandardCharsets.US_ASCII));
        buf.put(new byte[] {1, 2, 3}, 1, 1);

        assertThat(buf.toBytes())
                .isEqualTo(
                        new byte[] {
                            -1, (byte) 0xab, (byte) 0xcd, 1, 2, 3, 4, 5, 6, 7, 8, 'x', 'y', 2
                        });
        assertThat(buf.unsigned(0)).isEqualTo(255);
        assertThat(buf.unsignedShort(1)).isEqualTo(0xabcd);
        buf.consume(1);
        assertThat(buf.unsignedShort(0)).isEqualTo(0xabcd);
        assertThat(buf.start()).isOne();
        assertThat(buf.headroom()).isOne();
        buf.release();
    }

    @Test
    void compactingKeepsTheBytesAndMakesRoom() {
        Buf buf = pool.acquire(100);
        buf.put(new byte[] {1, 2, 3, 4, 5});
        buf.consume(3);
        int room = buf.tailroom();

        buf.compact();

        assertThat(buf.toBytes()).containsExactly(4, 5);
        assertThat(buf.start()).isZero();
        assertThat(buf.tailroom()).isEqualTo(room + 3);
        buf.release();
    }

    @Test
    void growsAtBothEndsWithinItsArray() {
        Buf buf = pool.acquire(100);
        buf.range(10, 20);
        buf.prepend(4);
        buf.extend(6);

        assertThat(buf.start()).isEqualTo(6);
        assertThat(buf.end()).isEqualTo(26);
        assertThatThrownBy(() -> buf.prepend(7)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> buf.extend(buf.tailroom() + 1)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> buf.consume(21)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> buf.range(3, 2)).isInstanceOf(AssertionError.class);
        buf.clear();
        assertThat(buf.isEmpty()).isTrue();
        assertThat(buf.headroom()).isZero();
        buf.release();
    }

    @Test
    void releasingTwiceIsNoticed() {
        Buf buf = pool.acquire(100);
        buf.release();

        assertThatThrownBy(buf::release)
                .isInstanceOf(AssertionError.class)
                .hasMessage("released twice");
        assertThat(pool.inUse()).isZero();
    }
}
