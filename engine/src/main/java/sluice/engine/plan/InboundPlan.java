package sluice.engine.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Endpoint;
import sluice.base.os.ListenOptions;
import sluice.protocol.spi.Inbound;

/// One way in, as the engine uses it.
///
/// @param tag its name
/// @param at where it listens; port 0 lets the kernel choose
/// @param listen how its sockets are made
/// @param preface what a front may send ahead of the protocol, or null
/// @param protocol its machines
/// @param identity what compares equal while the protocol's options are unchanged
/// @param handshakeNanos from accept to the request
/// @param datagramIdleNanos how long a datagram flow may be silent
/// @param origin where it is written, for messages: `config.json:3:5`; empty where it is not
public record InboundPlan(
        String tag,
        List<Endpoint> at,
        ListenOptions listen,
        @Nullable Preface preface,
        Inbound protocol,
        Object identity,
        long handshakeNanos,
        long datagramIdleNanos,
        String origin) {

    /// 60 s: handshakes that stay open for strangers must not end sooner than a web server's do.
    public static final long HANDSHAKE_NANOS = 60_000_000_000L;

    /// 60 s without a datagram either way.
    public static final long DATAGRAM_IDLE_NANOS = 60_000_000_000L;

    /// An inbound that is written nowhere.
    public InboundPlan(
            String tag,
            List<Endpoint> at,
            ListenOptions listen,
            @Nullable Preface preface,
            Inbound protocol,
            Object identity,
            long handshakeNanos,
            long datagramIdleNanos) {
        this(tag, at, listen, preface, protocol, identity, handshakeNanos, datagramIdleNanos, "");
    }

    /// The same inbound with a protocol object that is in use already.
    public InboundPlan withProtocol(Inbound kept) {
        return new InboundPlan(
                tag,
                at,
                listen,
                preface,
                kept,
                identity,
                handshakeNanos,
                datagramIdleNanos,
                origin);
    }

    /// What may come ahead of an inbound's protocol on an accepted stream.
    @FunctionalInterface
    public interface Preface {

        /// The machine that reads it and then becomes transparent, or null for clients that send
        /// none.
        @Nullable StreamMachine machineOrNull(Endpoint client);

        /// Whether `client` speaks for others, who are counted in its place.
        default boolean isFront(Endpoint client) {
            return machineOrNull(client) != null;
        }
    }
}
