package sluice.engine.flow;

import org.jspecify.annotations.Nullable;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;

/// The way out below an outbound without a detour: a plain socket.
enum Bare implements Outbound {
    INSTANCE;

    @Override
    public @Nullable Destination server() {
        return null;
    }

    @Override
    public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
        return null;
    }

    @Override
    public Datagrams datagrams() {
        return Datagrams.BARE;
    }
}
