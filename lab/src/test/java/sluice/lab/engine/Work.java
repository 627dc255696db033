package sluice.lab.engine;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Something that goes on beside the test, whose outcome the test waits for.
final class Work<T> {

    private static final int LIMIT_SECONDS = 60;

    private final FutureTask<T> task;
    private final Thread thread;

    private Work(Callable<T> action) {
        task = new FutureTask<>(action);
        thread = Thread.ofPlatform().daemon().name("test-work").start(task);
    }

    static <T> Work<T> of(Callable<T> action) {
        return new Work<>(action);
    }

    /// Whether it is still going on.
    boolean isGoingOn() {
        return thread.isAlive();
    }

    /// What came of it; what it threw fails the test.
    T result() throws Exception {
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        } catch (TimeoutException late) {
            AssertionError failure = new AssertionError("not done after " + LIMIT_SECONDS + " s");
            failure.setStackTrace(thread.getStackTrace());
            throw failure;
        }
    }
}
