package sluice.testkit;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// Says how to run a failed seed again.
final class SeedReport implements InvocationInterceptor {

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context)
            throws Throwable {
        try {
            invocation.proceed();
        } catch (Throwable failure) {
            String test =
                    call.getTargetClass().getSimpleName() + "#" + call.getExecutable().getName();
            System.err.println(
                    test
                            + " failed with seed "
                            + call.getArguments().getFirst()
                            + "; replay: ./sluice test -Dtest="
                            + test
                            + " -Dseed="
                            + call.getArguments().getFirst());
            throw failure;
        }
    }
}
