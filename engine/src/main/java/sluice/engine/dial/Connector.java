package sluice.engine.dial;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Destination;
import sluice.base.net.DomainName;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;
import sluice.engine.loop.Loop;
import sluice.engine.loop.Ready;
import sluice.engine.loop.Timer;
import sluice.policy.dns.AddressOrder;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// Connects to one destination: resolves its name, then tries its addresses one after the other
/// with a short delay between them (RFC 8305); the first that answers wins. Owned by one loop.
public final class Connector {

    /// How it went. Called exactly once, never before [#start] has returned, unless cancelled.
    public interface Callback {

        /// Connected; the socket stays registered under `token` until [Loop#handOver].
        ///
        /// @param readiness what was reported beside the connection, such as bytes that are there
        ///   already
        void connected(int socket, long token, Endpoint peer, int readiness);

        /// No address answered.
        ///
        /// @param errno of the last attempt, or 0 when the name does not resolve
        /// @param reason for the log
        void failed(int errno, String reason);
    }

    private final Loop loop;
    private final DialOptions options;
    private final Callback callback;
    private final List<Attempt> attempts = new ArrayList<>(2);
    private @Nullable Question question;
    private List<IpAddress> addresses = List.of();
    private final int port;
    private int next;
    private int lastErrno;
    private boolean over;
    private final Pace pace = new Pace();

    private Connector(Loop loop, int port, DialOptions options, Callback callback) {
        this.loop = loop;
        this.port = port;
        this.options = options;
        this.callback = callback;
    }

    /// Begins to connect.
    public static Connector start(
            Loop loop,
            NameResolver resolver,
            Destination target,
            Family family,
            DialOptions options,
            Callback callback) {
        Connector connector = new Connector(loop, target.port(), options, callback);
        switch (target.host()) {
            case IpAddress address -> loop.soon(() -> connector.resolved(List.of(address)));
            case DomainName name ->
                    connector.question =
                            Question.ask(
                                    loop,
                                    resolver,
                                    name,
                                    family,
                                    resolution -> connector.resolved(name, resolution));
        }
        return connector;
    }

    /// Begins to connect to a target whose name somebody has looked up.
    ///
    /// @param resolved its addresses, in the order in which they are tried
    /// @param family which of them are wanted, and which come first
    public static Connector startResolved(
            Loop loop,
            List<IpAddress> resolved,
            int port,
            Family family,
            DialOptions options,
            Callback callback) {
        Connector connector = new Connector(loop, port, options, callback);
        List<IpAddress> ordered = AddressOrder.of(resolved, family);
        loop.soon(() -> {
            if (!ordered.isEmpty()) {
                connector.resolved(ordered);
            } else if (!connector.over) {
                connector.over = true;
                callback.failed(0, "the name has no address of the wanted family");
            }
        });
        return connector;
    }

    /// Gives up; the callback is not called any more.
    public void cancel() {
        over = true;
        Question asked = question;
        if (asked != null) {
            asked.withdraw();
        }
        closeAttempts(null);
    }

    private void resolved(DomainName name, Resolution resolution) {
        switch (resolution) {
            case Resolution.Found found -> resolved(found.addresses());
            case Resolution.Failed failed -> {
                if (!over) {
                    over = true;
                    callback.failed(0, "cannot resolve " + name + ": " + failed.reason());
                }
            }
        }
    }

    private void resolved(List<IpAddress> found) {
        if (over) {
            return;
        }
        if (port == 0) {
            over = true;
            callback.failed(Errno.EADDRNOTAVAIL, "port 0 cannot be dialled");
            return;
        }
        addresses = found;
        tryNext();
    }

    private void tryNext() {
        while (!over && next < addresses.size()) {
            Endpoint peer = new Endpoint(addresses.get(next++), port);
            if (attempt(peer)) {
                if (next < addresses.size()) {
                    loop.timers().set(pace, loop.nowNanos() + AddressOrder.ATTEMPT_DELAY.toNanos());
                }
                return;
            }
        }
        failIfNothingIsLeft();
    }

    private boolean attempt(Endpoint peer) {
        int socket = loop.driver().connect(peer, options);
        if (socket < 0) {
            lastErrno = -socket;
            return false;
        }
        Attempt attempt = new Attempt(socket, peer);
        long token = loop.register(socket, attempt);
        if (token < 0) {
            loop.driver().close(socket);
            lastErrno = (int) -token;
            return false;
        }
        attempt.token = token;
        attempts.add(attempt);
        loop.timers().set(attempt.timeout, loop.nowNanos() + options.connectTimeoutNanos());
        return true;
    }

    private void ended(Attempt attempt, int errno, int readiness) {
        loop.timers().clear(attempt.timeout);
        attempts.remove(attempt);
        if (errno != 0) {
            lastErrno = errno;
            attempt.close();
            loop.timers().clear(pace);
            tryNext();
            return;
        }
        over = true;
        closeAttempts(attempt);
        callback.connected(attempt.socket, attempt.token, attempt.peer, readiness);
    }

    private void failIfNothingIsLeft() {
        if (!over && attempts.isEmpty() && next >= addresses.size()) {
            over = true;
            callback.failed(lastErrno, Errno.describe(lastErrno));
        }
    }

    private void closeAttempts(@Nullable Attempt winner) {
        loop.timers().clear(pace);
        for (Attempt attempt : attempts) {
            if (attempt != winner) {
                loop.timers().clear(attempt.timeout);
                attempt.close();
            }
        }
        attempts.clear();
    }

    /// The next address gets its turn although the last has not answered.
    private final class Pace extends Timer {
        @Override
        protected void onTimer(long nowNanos) {
            tryNext();
        }
    }

    /// One address being tried.
    private final class Attempt implements Ready {
        private final int socket;
        private final Endpoint peer;
        private final Timer timeout;
        private long token;

        Attempt(int socket, Endpoint peer) {
            this.socket = socket;
            this.peer = peer;
            this.timeout =
                    new Timer() {
                        @Override
                        protected void onTimer(long nowNanos) {
                            ended(Attempt.this, Errno.ETIMEDOUT, 0);
                        }
                    };
        }

        @Override
        public void onReady(int readiness, long nowNanos) {
            int errno = loop.driver().takeError(socket);
            if (errno != 0) {
                ended(this, errno, 0);
            } else if ((readiness & LoopDriver.WRITABLE) != 0) {
                ended(this, 0, readiness);
            }
        }

        @Override
        public void onLoopEnd() {
            close();
        }

        private void close() {
            loop.unregister(token);
            loop.driver().close(socket);
        }
    }
}
