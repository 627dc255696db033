package sluice.protocol;

import java.util.List;
import sluice.base.machine.StreamMachine;
import sluice.protocol.block.Block;
import sluice.protocol.direct.Direct;
import sluice.protocol.http.Http;
import sluice.protocol.proxyprotocol.ProxyProtocolReader;
import sluice.protocol.shadowsocks.Shadowsocks;
import sluice.protocol.socks.Socks;
import sluice.protocol.spi.Protocol;
import sluice.protocol.spi.StreamService;
import sluice.protocol.uot.UdpOverTcp;

/// Every protocol there is. An explicit list: one click leads from here to the code.
public final class ProtocolCatalog {

    private static final List<Protocol> ALL =
            List.of(
                    new Mixed(),
                    new Socks(),
                    new Http(),
                    new Shadowsocks(),
                    new Direct(),
                    new Block());

    private static final List<StreamService> STREAM_SERVICES = List.of(UdpOverTcp.service());

    private ProtocolCatalog() {}

    /// In the order of the user manual. A new protocol is a new package and a new line here.
    public static List<Protocol> all() {
        return ALL;
    }

    /// What clients may ask for inside their streams by a magic target, asked in this order before
    /// routing.
    public static List<StreamService> streamServices() {
        return STREAM_SERVICES;
    }

    /// What reads the PROXY protocol ahead of any protocol, for streams of a trusted front.
    ///
    /// @param isRequired whether a stream without a header is closed
    public static StreamMachine proxyProtocol(boolean isRequired) {
        return new ProxyProtocolReader(isRequired);
    }
}
