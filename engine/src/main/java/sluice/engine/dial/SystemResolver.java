package sluice.engine.dial;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.policy.dns.AddressOrder;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// The operating system's resolver, asked on threads of its own, since it blocks. A name is asked
/// for once, however many wait for it. The virtual machine keeps answers for 30 s and failures for
/// 10 s, so nothing is kept here. The threads are platform threads: a native look-up would pin a
/// virtual thread's carrier, and two dead name servers would then stop everybody. Thread-safe.
public final class SystemResolver implements NameResolver {

    /// Look-ups at once. A dead name holds its thread for about 10 s, and hundreds of them must not
    /// stand in the way of living ones.
    private static final int THREADS = 512;

    /// Look-ups that may wait for a thread; more are answered with a failure.
    private static final int WAITING = 4096;

    private static final String UNWANTED = "nobody waits for it";

    /// What is asked.
    @FunctionalInterface
    interface Source {

        /// All addresses of a name. Blocks.
        InetAddress[] addressesOf(String name) throws UnknownHostException;
    }

    /// What a look-up brought, for waiters of any preference.
    ///
    /// @param otherwise what is said where no address is wanted
    private record Found(List<IpAddress> addresses, Resolution.Failed otherwise) {

        Resolution resolution(Family preference) {
            List<IpAddress> ordered = AddressOrder.of(addresses, preference);
            return ordered.isEmpty() ? otherwise : new Resolution.Found(ordered, 0);
        }
    }

    private record Waiter(Family preference, Callback callback) {}

    /// One name and those who wait for it.
    private static final class LookUp {
        final String name;
        final List<Waiter> waiters = new ArrayList<>(1);

        LookUp(String name) {
            this.name = name;
        }

        boolean isWanted() {
            for (Waiter waiter : waiters) {
                if (waiter.callback.isWanted()) {
                    return true;
                }
            }
            return false;
        }
    }

    private final Source source;
    private final int threadsMax;
    private final int waitingMax;
    private final Executor threads;

    // Guarded by this
    private final Map<String, LookUp> underWay = new HashMap<>();
    private final ArrayDeque<LookUp> waiting = new ArrayDeque<>();
    private int running;

    /// Makes a resolver without threads; they come with the first names and go after 10 s of rest.
    public SystemResolver() {
        this(InetAddress::getAllByName, THREADS, WAITING);
    }

    SystemResolver(Source source, int threadsMax, int waitingMax) {
        this.source = source;
        this.threadsMax = threadsMax;
        this.waitingMax = waitingMax;
        // The count of those running is the bound; a thread that has just ended may be idle later.
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform().daemon().name("resolver-", 0).factory());
    }

    @Override
    public void resolve(DomainName name, Family preference, Callback callback) {
        if (name.endsInNumber() || name.text().indexOf(':') >= 0) {
            callback.resolved(new Resolution.Failed("neither an address nor a name", true));
            return;
        }
        String key = name.text().toLowerCase(Locale.ROOT);
        Waiter waiter = new Waiter(preference, callback);
        List<LookUp> unwanted = List.of();
        boolean isTooMany = false;
        boolean needsThread = false;
        synchronized (this) {
            LookUp present = underWay.get(key);
            if (present != null) {
                present.waiters.add(waiter);
                return;
            }
            if (running == threadsMax && waiting.size() >= waitingMax) {
                unwanted = takeUnwanted();
                isTooMany = waiting.size() >= waitingMax;
            }
            if (!isTooMany) {
                LookUp added = new LookUp(key);
                added.waiters.add(waiter);
                underWay.put(key, added);
                waiting.add(added);
                needsThread = running < threadsMax;
                running += needsThread ? 1 : 0;
            }
        }
        unwanted.forEach(each -> giveUp(each, UNWANTED));
        if (isTooMany) {
            callback.resolved(new Resolution.Failed("too many look-ups are waiting", false));
        } else if (needsThread) {
            begin();
        }
    }

    /// Without memory for one more thread, those that run take over what waits; without any, it
    /// fails.
    private void begin() {
        try {
            threads.execute(this::work);
        } catch (OutOfMemoryError _) {
            List<LookUp> orphans = new ArrayList<>();
            synchronized (this) {
                running--;
                if (running == 0) {
                    orphans.addAll(waiting);
                    waiting.clear();
                    orphans.forEach(each -> underWay.remove(each.name));
                }
            }
            orphans.forEach(each -> giveUp(each, "no thread can be made"));
        }
    }

    private List<LookUp> takeUnwanted() {
        List<LookUp> unwanted = new ArrayList<>();
        waiting.removeIf(each -> {
            if (each.isWanted()) {
                return false;
            }
            underWay.remove(each.name);
            unwanted.add(each);
            return true;
        });
        return unwanted;
    }

    /// Looks names up until none waits.
    private void work() {
        LookUp next;
        while ((next = nextOrNull()) != null) {
            Found found = lookUp(next.name);
            synchronized (this) {
                underWay.remove(next.name);
            }
            for (Waiter waiter : next.waiters) {
                waiter.callback.resolved(found.resolution(waiter.preference));
            }
        }
    }

    private Found lookUp(String name) {
        List<IpAddress> addresses = new ArrayList<>();
        try {
            for (InetAddress address : source.addressesOf(name)) {
                byte[] bytes = address.getAddress();
                addresses.add(IpAddress.of(bytes, 0, bytes.length));
            }
        } catch (UnknownHostException _) {
            return new Found(List.of(), new Resolution.Failed("no such name", true));
        } catch (RuntimeException failure) {
            String reason = failure.getClass().getSimpleName();
            return new Found(List.of(), new Resolution.Failed(reason, false));
        }
        return new Found(addresses, new Resolution.Failed("no address of the wanted family", true));
    }

    private @Nullable LookUp nextOrNull() {
        while (true) {
            LookUp next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    running--;
                    return null;
                }
                if (next.isWanted()) {
                    return next;
                }
                underWay.remove(next.name);
            }
            giveUp(next, UNWANTED);
        }
    }

    private static void giveUp(LookUp lookUp, String reason) {
        for (Waiter waiter : lookUp.waiters) {
            waiter.callback.resolved(new Resolution.Failed(reason, false));
        }
    }
}
