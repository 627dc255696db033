package sluice.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Where the process begins.
public final class Main {
    private Main() {}

    /// Runs one command; without one, says what this is.
    public static void main(String[] arguments) throws IOException {
        System.out.println("sluice " + version());
    }

    private static String version() throws IOException {
        try (InputStream in = Main.class.getResourceAsStream("version.txt")) {
            if (in == null) {
                throw new AssertionError("version.txt is missing from the build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
