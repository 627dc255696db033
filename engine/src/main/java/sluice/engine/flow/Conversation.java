package sluice.engine.flow;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Secret;
import sluice.engine.plan.InboundPlan;
import sluice.engine.plan.Plan;
import sluice.protocol.spi.Inbound;

/// A stream flow or a datagram flow, as the loop's [Station] lists them.
public abstract class Conversation {

    @Nullable Conversation before;
    @Nullable Conversation after;

    /// Makes one that is not listed yet.
    protected Conversation() {}

    /// The inbound it came through, as it was then.
    abstract InboundPlan via();

    /// Tag of the inbound it came through.
    public final String inbound() {
        return via().tag();
    }

    /// The authenticated user, or null.
    public abstract @Nullable String user();

    /// Whether the client has shown who it is; whoever has not yet is looked at when it does.
    boolean isLetIn() {
        return true;
    }

    /// Whether `plan` would not let the user in any more.
    final boolean isGoneFrom(Plan plan) {
        for (InboundPlan now : plan.inbounds()) {
            if (now.tag().equals(inbound())) {
                return isGoneFrom(now.protocol());
            }
        }
        return false;
    }

    /// Whether a reload put `now` in the place of what let the user in, and `now` would not: there
    /// is no such user any more, or the secret is another one.
    public final boolean isGoneFrom(Inbound now) {
        Inbound then = via().protocol();
        if (then == now || !isLetIn()) {
            return false;
        }
        String name = user();
        Secret shown = then.secretOrNull(name);
        return name == null
                ? shown != null && !Objects.equals(shown, now.secretOrNull(null))
                : !now.isUserKnown(name) || !Objects.equals(shown, now.secretOrNull(name));
    }

    /// Ends it at once.
    ///
    /// @param reason for the log
    public abstract void end(String reason);
}
