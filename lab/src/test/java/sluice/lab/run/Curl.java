package sluice.lab.run;

import java.util.ArrayList;
import java.util.List;
import sluice.testkit.Peers;
import sluice.testkit.Program;

/// One run of curl.
///
/// @param exit its exit code, 0 for success
/// @param status the status of the answer, 0 where there is none
/// @param connects how many connections it opened
/// @param body what it received
public record Curl(int exit, int status, int connects, String body) {

    /// Runs curl with these arguments; it gives up after 15 s.
    public static Curl run(Object... arguments) {
        List<Object> all =
                new ArrayList<>(
                        List.of("-q", "-s", "-m", "15", "-w", "\n%{http_code} %{num_connects}"));
        all.addAll(List.of(arguments));
        Program.Result result = Program.run(Peers.require("curl"), all.toArray());
        String out = result.out();
        int line = out.lastIndexOf('\n');
        String[] figures = out.substring(line + 1).split(" ");
        return new Curl(
                result.exit(),
                Integer.parseInt(figures[0]),
                Integer.parseInt(figures[1]),
                out.substring(0, line));
    }
}
