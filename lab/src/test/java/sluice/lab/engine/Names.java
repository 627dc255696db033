package sluice.lab.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// A resolver that knows what the test tells it, and answers when the test lets it.
final class Names implements NameResolver {

    private record Question(DomainName name, Callback callback) {}

    private final Map<String, List<IpAddress>> known = new ConcurrentHashMap<>();
    private final List<Question> held = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private boolean isHolding;

    /// `name` has these addresses, in this order.
    Names with(String name, String... addresses) {
        List<IpAddress> list = new ArrayList<>();
        for (String address : addresses) {
            list.add(IpAddress.parseOrNull(address));
        }
        known.put(name, list);
        return this;
    }

    /// From here on answers wait for [#release].
    synchronized Names hold() {
        isHolding = true;
        return this;
    }

    /// Answers what has waited, the last question first, and holds nothing back any more.
    void release() {
        List<Question> waiting;
        synchronized (this) {
            isHolding = false;
            waiting = new ArrayList<>(held).reversed();
            held.clear();
        }
        waiting.forEach(question -> question.callback.resolved(answer(question.name)));
    }

    /// Answers the question for one name alone.
    void release(String name) {
        List<Question> waiting;
        synchronized (this) {
            waiting = held.stream().filter(each -> each.name.text().equals(name)).toList();
            held.removeAll(waiting);
        }
        waiting.forEach(question -> question.callback.resolved(answer(question.name)));
    }

    /// The names asked for so far, in order.
    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    /// How many held questions somebody still waits for.
    synchronized int wanted() {
        return (int) held.stream().filter(each -> each.callback.isWanted()).count();
    }

    @Override
    public void resolve(DomainName name, Family preference, Callback callback) {
        synchronized (this) {
            asked.add(name.text());
            if (isHolding) {
                held.add(new Question(name, callback));
                return;
            }
        }
        callback.resolved(answer(name));
    }

    private Resolution answer(DomainName name) {
        List<IpAddress> addresses = known.get(name.text());
        return addresses == null
                ? new Resolution.Failed("no such name", true)
                : new Resolution.Found(addresses, 0);
    }
}
