package sluice.protocol.spi;

import org.jspecify.annotations.Nullable;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;

/// Recognises magic destinations under which a client asks for a service inside its stream, such as
/// UDP over TCP. The engine asks it before routing; what it returns becomes the inbound leg's
/// highest layer.
@FunctionalInterface
public interface StreamService {

    /// The service's machine, or null where `destination` is an ordinary one.
    ///
    /// @param user the authenticated user, to be passed on
    @Nullable StreamMachine serviceOrNull(
            LoopServices loop, Destination destination, @Nullable String user);
}
