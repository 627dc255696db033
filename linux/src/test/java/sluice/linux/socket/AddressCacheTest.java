package sluice.linux.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.linux.ffi.SocketAddress;

final class AddressCacheTest {

    private final AddressCache cache = new AddressCache();
    private final MemorySegment memory = Arena.ofAuto().allocate(32, 8);

    @Test
    void answersAreRightWhoeverWasMetBefore() {
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            IpAddress address =
                    random.nextBoolean()
                            ? IpAddress.v4(random.nextInt(3000))
                            : IpAddress.v6(random.nextInt(3), random.nextInt(3000));
            Endpoint endpoint = new Endpoint(address, random.nextInt(3));
            boolean asV6 = !address.isV4() || random.nextBoolean();
            SocketAddress.write(memory, 0, endpoint, asV6);

            assertThat(cache.endpoint(memory, 0)).isEqualTo(endpoint);
        }
    }

    @Test
    void twoPeersOfOneHashAreBothRemembered() {
        Endpoint[] known = new Endpoint[200];
        for (int i = 0; i < known.length; i++) {
            known[i] = ask(IpAddress.v4(0x0a000000 + i));
        }
        int same = 0;
        for (int i = 0; i < known.length; i++) {
            same += ask(IpAddress.v4(0x0a000000 + i)) == known[i] ? 1 : 0;
        }

        assertThat(same).isGreaterThan(190);
    }

    @Test
    void localAddressesAreRememberedInBothForms() {
        IpAddress v4 = cache.localV4(0x7f000001);
        IpAddress v6 = cache.local(0x20010db800000000L, 9);

        assertThat(v4).isEqualTo(IpAddress.LOOPBACK_V4);
        assertThat(cache.localV4(0x7f000001)).isSameAs(v4);
        assertThat(cache.local(0, 0xffff_7f00_0001L)).isSameAs(v4);
        assertThat(v6).isEqualTo(IpAddress.parseOrNull("2001:db8::9"));
        assertThat(cache.local(0x20010db800000000L, 9)).isSameAs(v6);
        assertThat(cache.local(0, 0x7f00_0001L)).isEqualTo(IpAddress.parseOrNull("::7f00:1"));
        assertThat(cache.localV4(0x7f000001)).isEqualTo(IpAddress.LOOPBACK_V4);
    }

    private Endpoint ask(IpAddress address) {
        SocketAddress.write(memory, 0, new Endpoint(address, 5000), false);
        return cache.endpoint(memory, 0);
    }
}
