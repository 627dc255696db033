/// Plugins of Shadowsocks (SIP003): programs that stand between a listener or an outbound and the
/// network. Each runs as a child process that is started, watched and ended here; bytes reach it
/// through loopback. Start with [Plugins].
@NullMarked
package sluice.app.plugin;

import org.jspecify.annotations.NullMarked;
