package sluice.lab.engine;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;

/// A driver for which some addresses are out of reach.
final class DeadEnds extends DriverShell {

    /// Says in the place of an errno that an address never answers.
    static final int SILENT = 0;

    private final Map<IpAddress, Integer> errnos;
    private final AtomicInteger attempts;

    /// @param errnos what connecting to an address brings, or [#SILENT]
    /// @param attempts counts what was tried, these addresses or others
    DeadEnds(LoopDriver inner, Map<IpAddress, Integer> errnos, AtomicInteger attempts) {
        super(inner);
        this.errnos = errnos;
        this.attempts = attempts;
    }

    @Override
    public int connect(Endpoint to, DialOptions options) {
        attempts.incrementAndGet();
        Integer errno = errnos.get(to.address());
        if (errno == null) {
            return super.connect(to, options);
        }
        // A listening socket is never writable, as one that waits for an answer that does not come.
        return errno == SILENT
                ? listen(new Endpoint(IpAddress.LOOPBACK_V4, 0), ListenOptions.DEFAULT)
                : -errno;
    }
}
