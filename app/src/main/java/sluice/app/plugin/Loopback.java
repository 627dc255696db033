package sluice.app.plugin;

import sluice.base.fault.SystemFault;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

/// Two questions about ports of this machine, asked with a driver of their own each time: they are
/// asked when a plugin starts, not while it runs.
final class Loopback {

    /// Loopback answers at once, or not at all.
    private static final long ANSWER_NANOS = 200_000_000L;

    private Loopback() {}

    /// A port of 127.0.0.1 that nobody listens on. Somebody else may take it before it is used; the
    /// kernel hands out another one each time, so that this is rare.
    ///
    /// @throws SystemFault when there is none
    static Endpoint freePort(OperatingSystem system) {
        try (LoopDriver driver = system.openLoop()) {
            int socket =
                    driver.listen(new Endpoint(IpAddress.LOOPBACK_V4, 0), ListenOptions.DEFAULT);
            Endpoint local = socket < 0 ? null : driver.localOf(socket);
            if (socket >= 0) {
                driver.close(socket);
            }
            if (local == null) {
                throw new SystemFault("bind 127.0.0.1:0", Math.max(0, -socket), "no free port");
            }
            return local;
        }
    }

    /// Whether somebody accepts connections there.
    static boolean accepts(OperatingSystem system, Endpoint at) {
        try (LoopDriver driver = system.openLoop()) {
            int socket = driver.connect(at, DialOptions.DEFAULT);
            if (socket < 0) {
                return false;
            }
            int error = -1;
            if (driver.watch(socket, 1) >= 0 && driver.await(ANSWER_NANOS) > 0) {
                boolean ended = (driver.readiness(0) & LoopDriver.WRITABLE) != 0;
                int pending = driver.takeError(socket);
                error = ended ? pending : -1;
            }
            driver.reset(socket);
            return error == 0;
        }
    }
}
