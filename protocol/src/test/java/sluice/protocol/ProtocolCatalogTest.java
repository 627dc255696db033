package sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.protocol.spi.Protocol;
import sluice.protocol.spi.StreamService;

final class ProtocolCatalogTest {

    @Test
    void everyProtocolHasATypeOfItsOwnAndAWay() {
        Set<String> types = new HashSet<>();
        for (Protocol protocol : ProtocolCatalog.all()) {
            assertThat(types.add(protocol.type())).as(protocol.type()).isTrue();
            assertThat(protocol.inbound() != null || protocol.outbound() != null)
                    .as(protocol.type())
                    .isTrue();
        }
        assertThat(types).contains("mixed", "socks", "http", "shadowsocks", "direct", "block");
    }

    @Test
    void udpOverTcpIsAService() {
        Destination magic = new Destination(Host.parse("sp.v2.udp-over-tcp.arpa"), 0);
        StreamService service = ProtocolCatalog.streamServices().getFirst();
        assertThat(service.serviceOrNull(new LoopFixture(1).services(), magic, null)).isNotNull();
    }
}
