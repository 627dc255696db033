package sluice.lab.bed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.lab.json.Json;

/// A [sluice.lab.load.Holder] that a bed gives commands. It lets go of its connections when this is
/// closed.
final class Holding implements AutoCloseable {

    /// Longer than its patience with connections that answer nothing: twenty times ten seconds.
    private static final int TIMEOUT_MILLIS = 300_000;

    private final Socket commands;
    private final BufferedReader answers;

    /// @param port that it says when it is ready
    Holding(int port) throws IOException {
        commands = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        commands.setSoTimeout(TIMEOUT_MILLIS);
        answers =
                new BufferedReader(
                        new InputStreamReader(commands.getInputStream(), StandardCharsets.UTF_8));
    }

    /// Opens more connections; each gets so many bytes back before it idles.
    Map<String, @Nullable Object> open(int connections, int bytes) throws IOException {
        return ask("open " + connections + " " + bytes);
    }

    /// The same, but all must succeed.
    Map<String, @Nullable Object> openAll(int connections, int bytes) throws IOException {
        Map<String, @Nullable Object> answer = open(connections, bytes);
        if (Load.number(answer, "opened") != connections) {
            throw new IOException(
                    "Holder: of "
                            + connections
                            + " connections "
                            + answer.get("opened")
                            + " opened: "
                            + Json.write(answer.get("reasons")));
        }
        return answer;
    }

    /// Asks whether each connection still answers.
    Map<String, @Nullable Object> check() throws IOException {
        return ask("check");
    }

    private Map<String, @Nullable Object> ask(String command) throws IOException {
        commands.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("Holder ended when it was told to " + command);
            }
            return Json.readObject(answer);
        } catch (SocketTimeoutException late) {
            throw new IOException("Holder does not finish to " + command, late);
        }
    }

    @Override
    public void close() throws IOException {
        commands.close();
    }
}
