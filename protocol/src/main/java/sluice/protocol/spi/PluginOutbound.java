package sluice.protocol.spi;

import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;

/// An outbound whose streams may go through a program of somebody else's (SIP003). Whoever runs the
/// program gives it the server of [#server] to connect to, and lets the engine use what
/// [#throughPlugin] returns.
public interface PluginOutbound extends Outbound {

    /// Name of the program, or null where there is none.
    @Nullable String plugin();

    /// Its options as one text; may be empty.
    String pluginOptions();

    /// This outbound with `local`, where the program listens, in place of the server. Datagrams
    /// still go to the server itself.
    PluginOutbound throughPlugin(Destination local);
}
