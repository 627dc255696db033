package sluice.linux;

import java.util.ArrayList;
import java.util.List;
import sluice.base.net.Endpoint;
import sluice.base.os.DialOptions;
import sluice.base.os.Errno;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.linux.ffi.LimitCalls;

/// A program of its own, because it runs out of files: accepts until there are none left, gives
/// some back, goes on. Prints `ok`, or what went wrong.
public final class AcceptAtLimit {

    private static final int CONNECTIONS = 40;

    private AcceptAtLimit() {}

    /// Takes no arguments.
    public static void main(String[] arguments) {
        System.out.println(run());
    }

    private static String run() {
        try (LoopDriver driver = new LinuxSystem().openLoop()) {
            Endpoint any = Endpoint.parseOrNull("127.0.0.1:0");
            int listener = driver.listen(any, ListenOptions.DEFAULT);
            Endpoint at = driver.localOf(listener);
            if (at == null) {
                return "no address";
            }
            driver.watch(listener, 1);
            List<Integer> dialled = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                dialled.add(driver.connect(at, DialOptions.DEFAULT));
            }
            driver.await(1_000_000_000L);
            // Loads what is needed below, which takes files as well.
            driver.close(driver.openDatagrams(at, at.address(), DialOptions.DEFAULT));
            driver.dropPipe(driver.takePipe());
            int highest = dialled.getLast();
            if (!LimitCalls.limitOpenFiles(highest + 11)) {
                return "the limit cannot be lowered";
            }
            int taken = 0;
            int result = driver.accept(listener);
            while (result >= 0) {
                taken++;
                result = driver.accept(listener);
            }
            if (result != -Errno.EMFILE || taken != 10) {
                return "after " + taken + ": " + Errno.describe(-result);
            }
            if (driver.takePipe() != -Errno.EMFILE
                    || driver.connect(at, DialOptions.DEFAULT) != -Errno.EMFILE
                    || driver.openDatagrams(at, at.address(), DialOptions.DEFAULT)
                            != -Errno.EMFILE) {
                return "something can still be opened";
            }
            return recover(driver, listener, dialled);
        }
    }

    private static String recover(LoopDriver driver, int listener, List<Integer> dialled) {
        for (int socket : dialled.subList(0, 10)) {
            driver.close(socket);
        }
        int result = driver.accept(listener);
        if (result < 0) {
            return "does not recover: " + Errno.describe(-result);
        }
        if (LimitCalls.raiseOpenFiles() < 100) {
            return "the limit cannot be raised";
        }
        int taken = 0;
        while (result >= 0) {
            taken++;
            result = driver.accept(listener);
        }
        return taken == CONNECTIONS - 10 && result == -Errno.EAGAIN ? "ok" : "only " + taken;
    }
}
