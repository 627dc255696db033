package sluice.lab.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// What load programs print to standard output, for the lab that started them.
final class Say {

    /// Begins the line that says on which port a program listens; the port follows.
    static final String READY = "ready ";

    private Say() {}

    static void ready(int port) {
        line(READY + port);
    }

    static void result(Map<String, @Nullable Object> result) {
        line(Json.write(result));
    }

    /// To standard error: where a program goes on and a reader should know.
    static void complaint(String text) {
        System.err.println(text);
        System.err.flush();
    }

    /// Why something failed, in a few words.
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }

    private static void line(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
