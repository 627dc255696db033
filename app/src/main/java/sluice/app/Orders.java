package sluice.app;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// What signals ask of the process: any number of reloads are one, and a stop goes ahead of them,
/// whenever it comes. Any thread gives orders; one thread takes them.
final class Orders {

    /// What to do.
    enum Order {
        /// Nothing was asked for in time.
        REST,
        /// Follow the files as they are now.
        RELOAD,
        /// End.
        STOP
    }

    private final Semaphore bell = new Semaphore(0);
    private volatile boolean reload;
    private volatile boolean stop;

    /// Asks for a reload.
    void reload() {
        reload = true;
        bell.release();
    }

    /// Asks for the end. Returns whether somebody had asked for it before.
    synchronized boolean stop() {
        boolean before = stop;
        stop = true;
        bell.release();
        return before;
    }

    /// Waits for an order, `seconds` at most.
    Order next(long seconds) {
        try {
            if (!stop && !reload && !bell.tryAcquire(seconds, TimeUnit.SECONDS)) {
                return Order.REST;
            }
        } catch (InterruptedException _) {
            return Order.STOP;
        }
        bell.drainPermits();
        if (stop) {
            return Order.STOP;
        }
        boolean wanted = reload;
        reload = false;
        return wanted ? Order.RELOAD : Order.REST;
    }
}
