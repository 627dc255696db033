package sluice.engine.dial;

import java.util.function.Consumer;
import sluice.base.net.DomainName;
import sluice.engine.loop.Loop;
import sluice.policy.dns.Family;
import sluice.policy.dns.NameResolver;
import sluice.policy.dns.Resolution;

/// One look-up for a loop: the answer comes on the loop, unless it was withdrawn before. Asked and
/// withdrawn on the loop.
public final class Question implements NameResolver.Callback {

    private final Loop loop;
    private final Consumer<Resolution> then;
    private volatile boolean withdrawn;

    private Question(Loop loop, Consumer<Resolution> then) {
        this.loop = loop;
        this.then = then;
    }

    /// Asks `resolver`.
    ///
    /// @param then takes the answer, on the loop and never before this method has returned
    public static Question ask(
            Loop loop,
            NameResolver resolver,
            DomainName name,
            Family family,
            Consumer<Resolution> then) {
        Question question = new Question(loop, then);
        resolver.resolve(name, family, question);
        return question;
    }

    /// Nobody wants the answer any more.
    public void withdraw() {
        withdrawn = true;
    }

    @Override
    public void resolved(Resolution resolution) {
        loop.execute(() -> {
            if (!withdrawn) {
                then.accept(resolution);
            }
        });
    }

    @Override
    public boolean isWanted() {
        return !withdrawn;
    }
}
