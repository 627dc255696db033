package sluice.engine.dial;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.policy.dns.AddressOrder;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// The operating system's resolver, asked on threads of its own, since it blocks. The threads are
/// platform threads: a native look-up would pin a virtual thread's carrier, and two dead name
/// servers would then stop everybody. Thread-safe.
public final class SystemResolver implements NameResolver {

    /// Look-ups at once: a few dozen dead names must not stand in the way of living ones.
    private static final int THREADS = 32;

    /// Look-ups that may wait for a thread; more are answered with a failure.
    private static final int WAITING = 4096;

    private final ThreadPoolExecutor threads;

    /// Makes a resolver without threads; they come with the first names and go after 10 s of rest.
    public SystemResolver() {
        threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(WAITING),
                        Thread.ofPlatform().daemon().name("resolver-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void resolve(DomainName name, Family preference, Callback callback) {
        try {
            threads.execute(() -> callback.resolved(lookUp(name, preference)));
        } catch (RejectedExecutionException _) {
            callback.resolved(new Resolution.Failed("too many look-ups are waiting", false));
        }
    }

    private static Resolution lookUp(DomainName name, Family preference) {
        List<IpAddress> found = new ArrayList<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(name.text())) {
                byte[] bytes = address.getAddress();
                found.add(IpAddress.of(bytes, 0, bytes.length));
            }
        } catch (UnknownHostException _) {
            return new Resolution.Failed("no such name", true);
        } catch (RuntimeException failure) {
            return new Resolution.Failed(failure.getClass().getSimpleName(), false);
        }
        List<IpAddress> ordered = AddressOrder.of(found, preference);
        return ordered.isEmpty()
                ? new Resolution.Failed("no address of the wanted family", true)
                : new Resolution.Found(ordered, 0);
    }
}
