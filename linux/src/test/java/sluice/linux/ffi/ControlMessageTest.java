package sluice.linux.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import sluice.base.net.IpAddress;

final class ControlMessageTest {

    private final MemorySegment memory = Arena.ofAuto().allocate(256, 8);

    @Test
    void segmentSizeIsAShort() {
        assertThat(ControlMessage.putSegment(memory, 0, 1200))
                .isEqualTo(ControlMessage.SEGMENT_BYTES);

        // length 18, level 17, type 103, 1200
        assertThat(hex(18)).isEqualTo("1200000000000000" + "11000000" + "67000000" + "b004");
    }

    @Test
    void sourceOfIpv4StandsInTheSecondField() {
        IpAddress from = IpAddress.v4(0x01020304);

        assertThat(ControlMessage.putSource(memory, 0, from, false)).isEqualTo(32);

        assertThat(hex(28))
                .isEqualTo(
                        "1c00000000000000"
                                + "00000000"
                                + "08000000"
                                + "00000000"
                                + "01020304"
                                + "00000000");
    }

    @Test
    void sourceInsideAnIpv6SocketIsMapped() {
        IpAddress from = IpAddress.v4(0x01020304);

        assertThat(ControlMessage.putSource(memory, 0, from, true)).isEqualTo(40);

        assertThat(hex(36))
                .isEqualTo(
                        "2400000000000000"
                                + "29000000"
                                + "32000000"
                                + "00000000000000000000ffff01020304"
                                + "00000000");
    }

    @Test
    void theSecondMessageIsFoundBehindTheFirst() {
        int first = ControlMessage.putSource(memory, 8, IpAddress.LOOPBACK_V6, true);
        int second = ControlMessage.putSegment(memory, 8 + first, 77);
        int bytes = first + second;

        assertThat(ControlMessage.find(memory, 8, bytes, 41, 50)).isEqualTo(8 + 16);
        assertThat(ControlMessage.find(memory, 8, bytes, 17, 103)).isEqualTo(8 + first + 16);
        assertThat(ControlMessage.find(memory, 8, bytes, 17, 104)).isEqualTo(ControlMessage.NONE);
        assertThat(ControlMessage.find(memory, 8, first, 17, 103)).isEqualTo(ControlMessage.NONE);
        assertThat(ControlMessage.find(memory, 8, 0, 41, 50)).isEqualTo(ControlMessage.NONE);
    }

    @Test
    void aLengthThatLeadsNowhereEndsTheSearch() {
        memory.set(ValueLayout.JAVA_LONG, 0, 3);

        assertThat(ControlMessage.find(memory, 0, 64, 17, 103)).isEqualTo(ControlMessage.NONE);
    }

    private String hex(int bytes) {
        return HexFormat.of().formatHex(memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
}
