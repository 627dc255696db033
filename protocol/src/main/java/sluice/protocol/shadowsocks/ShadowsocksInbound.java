package sluice.protocol.shadowsocks;

import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Secret;
import sluice.base.machine.DatagramServer;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.protocol.spi.Inbound;
import sluice.protocol.spi.LoopServices;

/// A configured Shadowsocks listener.
///
/// @param acceptance who may come in
/// @param acceptsStreams whether it listens for TCP
/// @param acceptsDatagrams whether it listens for UDP
/// @param isRelay whether it passes everything on to other servers
record ShadowsocksInbound(
        Acceptance acceptance, boolean acceptsStreams, boolean acceptsDatagrams, boolean isRelay)
        implements Inbound {

    @Override
    public StreamMachine acceptStream(LoopServices loop, Endpoint client, Endpoint local) {
        Credential server = acceptance.serverOrNull();
        if (isRelay && server != null) {
            return new IdentityRelay(loop, acceptance, server);
        }
        return switch (acceptance.method().edition()) {
            case PLAIN -> new PlainServer(acceptance.badPeer());
            case AEAD -> new AeadServer(loop, acceptance, client.address());
            case AEAD_2022 -> new Server2022(loop, acceptance);
        };
    }

    @Override
    public DatagramServer serveDatagrams(LoopServices loop, Endpoint local) {
        Credential server = acceptance.serverOrNull();
        if (isRelay && server != null) {
            return new PacketRelay(loop, acceptance, server);
        }
        return switch (acceptance.method().edition()) {
            case PLAIN, AEAD ->
                    new PacketServer(acceptance, new AddressPackets(loop, acceptance.method()));
            case AEAD_2022 -> new PacketServer2022(loop, acceptance);
        };
    }

    @Override
    public ShadowsocksInbound behindCarrier() {
        return new ShadowsocksInbound(
                acceptance.withSegmentedHeader(), acceptsStreams, acceptsDatagrams, isRelay);
    }

    /// 60 s, and the drain of a stranger ends with it: a shorter time would set this server apart
    /// from an ordinary web server.
    @Override
    public Duration handshakeTimeout() {
        return Duration.ofSeconds(60);
    }

    @Override
    public boolean isUserKnown(String user) {
        return acceptance.namedOrNull(user) != null;
    }

    @Override
    public @Nullable Secret secretOrNull(@Nullable String user) {
        Credential credential = acceptance.namedOrNull(user);
        return credential == null
                ? null
                : Secret.of(Base64.getEncoder().encodeToString(credential.key()));
    }

    @Override
    public void inherit(Inbound before) {
        if (before instanceof ShadowsocksInbound ours) {
            acceptance.inherit(ours.acceptance);
        }
    }
}
