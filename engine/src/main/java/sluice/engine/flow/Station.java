package sluice.engine.flow;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.engine.loop.Loop;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;
import sluice.policy.dns.NameResolver;
import sluice.policy.limit.Admission;

/// What the flows of one loop share, and the list of those flows. Owned by the loop.
public final class Station {

    /// Legs of strangers that may stay open while their input is discarded.
    private static final int DRAINING = 1024;

    private final ArrayDeque<Leg> draining = new ArrayDeque<>();
    private final Loop loop;
    private final int number;
    private final Supplier<Plan> plan;
    private final NameResolver resolver;
    private final Admission admission;
    private final Journal journal;
    private final AtomicInteger load = new AtomicInteger();
    private @Nullable Conversation first;
    private int conversations;
    private long nextId;

    /// @param number of the loop, part of its flows' ids
    /// @param plan the plan in force; read once per flow
    /// @param admission shared by all loops
    public Station(
            Loop loop,
            int number,
            Supplier<Plan> plan,
            NameResolver resolver,
            Admission admission) {
        this.loop = loop;
        this.number = number;
        this.plan = plan;
        this.resolver = resolver;
        this.admission = admission;
        this.journal = new Journal(loop);
    }

    /// The loop.
    public Loop loop() {
        return loop;
    }

    /// The plan in force.
    public Plan plan() {
        return plan.get();
    }

    /// Names to addresses.
    public NameResolver resolver() {
        return resolver;
    }

    /// Connection limits.
    public Admission admission() {
        return admission;
    }

    /// What is told to the operator.
    public Journal journal() {
        return journal;
    }

    /// Stream flows that were given to this loop and have not ended; how listeners balance. Any
    /// thread.
    public AtomicInteger load() {
        return load;
    }

    /// Conversations that are open.
    public int conversations() {
        return conversations;
    }

    /// A leg discards what a stranger sends; beyond [#DRAINING] the oldest such leg is closed.
    void draining(Leg leg) {
        while (!draining.isEmpty() && draining.getFirst().isClosed()) {
            draining.removeFirst();
        }
        draining.addLast(leg);
        if (draining.size() > DRAINING) {
            draining.removeFirst().closeNow();
        }
    }

    String nextId() {
        return Long.toHexString(nextId++ << 4 | number);
    }

    void add(Conversation conversation) {
        Conversation head = first;
        conversation.after = head;
        if (head != null) {
            head.before = conversation;
        }
        first = conversation;
        conversations++;
    }

    void remove(Conversation conversation) {
        Conversation before = conversation.before;
        Conversation after = conversation.after;
        if (before != null) {
            before.after = after;
        } else {
            first = after;
        }
        if (after != null) {
            after.before = before;
        }
        conversation.before = null;
        conversation.after = null;
        conversations--;
    }

    /// Takes over an accepted socket that was admitted and counted in [#load].
    ///
    /// @param socket owned by the flow from here on
    /// @param counted the address that admission counts it by, or null while it has none
    public void accept(
            InboundPlan inbound, int socket, Endpoint peer, @Nullable IpAddress counted) {
        Flow.begin(this, inbound, socket, new Presence(this, inbound, peer, counted));
    }

    /// Ends the conversations that `doomed` picks.
    public void endIf(Predicate<Conversation> doomed, String reason) {
        Conversation each = first;
        while (each != null) {
            Conversation next = each.after;
            if (doomed.test(each)) {
                each.end(reason);
            }
            each = next;
        }
    }
}
