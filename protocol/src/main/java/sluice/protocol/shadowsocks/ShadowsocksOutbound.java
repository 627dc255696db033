package sluice.protocol.shadowsocks;

import org.jspecify.annotations.Nullable;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.PluginOutbound;
import sluice.protocol.uot.UdpOverTcp;

/// A configured Shadowsocks server of somebody else.
///
/// @param server where streams go; a plugin's address where one runs
/// @param packetServer where packets go, past any plugin
/// @param dialling its method and keys; null with `none`
/// @param isUdpWanted whether datagrams may go here
/// @param udpOverTcp whether datagrams go in a stream
/// @param plugin name of a plugin, or null
/// @param pluginOptions its options, may be empty
record ShadowsocksOutbound(
        Destination server,
        Destination packetServer,
        @Nullable Dialling dialling,
        boolean isUdpWanted,
        UdpOverTcp udpOverTcp,
        @Nullable String plugin,
        String pluginOptions)
        implements PluginOutbound {

    @Override
    public boolean confirmsTarget() {
        return false;
    }

    @Override
    public StreamMachine dialStream(LoopServices loop, Destination target) {
        if (dialling == null) {
            return new PlainClient(target);
        }
        return dialling.method().is2022()
                ? new Client2022(loop, dialling, target)
                : new AeadClient(loop, dialling, target);
    }

    @Override
    public Datagrams datagrams() {
        if (!isUdpWanted) {
            return Datagrams.NONE;
        }
        return udpOverTcp.enabled() ? Datagrams.STREAM : Datagrams.PACKETS;
    }

    @Override
    public DatagramClient dialDatagrams(LoopServices loop) {
        if (dialling == null) {
            return new PacketClient(loop, Method.NONE, null);
        }
        return dialling.method().is2022()
                ? new PacketClient2022(loop, dialling)
                : new PacketClient(loop, dialling.method(), dialling.user());
    }

    @Override
    public StreamMachine[] dialDatagramStream(LoopServices loop, Destination first) {
        return new StreamMachine[] {dialStream(loop, udpOverTcp.magic()), udpOverTcp.client()};
    }

    @Override
    public ShadowsocksOutbound throughPlugin(Destination local) {
        return new ShadowsocksOutbound(
                local, packetServer, dialling, isUdpWanted, udpOverTcp, plugin, pluginOptions);
    }
}
