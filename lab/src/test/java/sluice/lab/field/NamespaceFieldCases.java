package sluice.lab.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import sluice.lab.run.Config;
import sluice.lab.run.SluiceProcess;
import sluice.testkit.Peers;
import sluice.testkit.Program;

/// Cases that need a network of their own: a shell in a fresh network namespace prepares it and
/// starts the product; what it prints is the answer. Skipped where the user may not make one.
final class NamespaceFieldCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @BeforeAll
    static void mayMakeNamespaces() {
        Peers.require("ip");
        Assumptions.assumeTrue(
                Program.run(Peers.require("unshare"), "-n", "true").exit() == 0,
                "network namespaces are not allowed here");
    }

    @Test
    void o09BothFamiliesWhateverTheSystemsDefault() {
        String out =
                inNamespace(
                        new Config().listenOn("::").inbound("http", "in", 1080),
                        """
                        ip link set lo up
                        sysctl -qw net.ipv6.bindv6only=1 2>/dev/null
                        "$@" & pid=$!
                        listening 1080
                        curl -s -o /dev/null -w 'four %{http_code}\\n' http://127.0.0.1:1080/
                        curl -s -o /dev/null -w 'six %{http_code}\\n' http://[::1]:1080/
                        kill $pid; wait $pid; echo "end $?"
                        """);
        assertThat(out).contains("four 400").contains("six 400").contains("end 0");
    }

    @Test
    void o11ItStartsBeforeTheNetworkAndBindsLater() {
        String out =
                inNamespace(
                        new Config()
                                .listenOn("10.9.0.1")
                                .inbound("http", "late", 1080)
                                .listenOn("127.0.0.1")
                                .inbound("http", "now", 1081),
                        """
                        "$@" & pid=$!
                        sleep 1.5
                        kill -0 $pid && echo alive
                        ip link set lo up
                        ip addr add 10.9.0.1/32 dev lo
                        listening 1080
                        curl -s -m 3 -o /dev/null -w 'late %{http_code}\\n' http://10.9.0.1:1080/
                        curl -s -m 3 -o /dev/null -w 'now %{http_code}\\n' http://127.0.0.1:1081/
                        kill $pid; wait $pid; echo "end $?"
                        """);
        assertThat(out)
                .contains("alive")
                .contains("late 400")
                .contains("now 400")
                .contains("end 0");
    }

    @Test
    void m05APeerThatDiedSilentlyIsForgotten() {
        Peers.require("python3");
        String out =
                inNamespace(
                        new Config()
                                .listenOn("10.9.0.2")
                                .inbound(
                                        "direct",
                                        "in",
                                        1080,
                                        "'override_address': '127.0.0.1', 'override_port': 8090,"
                                                + " 'network': 'tcp', 'tcp_keep_alive': '1s',"
                                                + " 'tcp_keep_alive_interval': '1s'"),
                        """
                        ip link set lo up
                        unshare -n sleep 60 & client=$!
                        sleep 0.3
                        ip link add near type veth peer name far
                        ip link set far netns $client
                        ip addr add 10.9.0.2/24 dev near
                        ip link set near up
                        inclient() { nsenter -n -t $client "$@"; }
                        inclient ip addr add 10.9.0.1/24 dev far
                        inclient ip link set far up
                        python3 -c 'import socket; c = socket.create_server(("127.0.0.1", 8090)).accept(); c[0].recv(1)' &
                        "$@" & pid=$!
                        listening 1080
                        inclient python3 -c 'import socket; socket.create_connection(("10.9.0.2", 1080)).recv(1)' &
                        sleep 1.5
                        inclient ip addr del 10.9.0.1/24 dev far
                        for i in $(seq 30); do
                            sleep 0.5
                            now=$(ls -l /proc/$pid/fd | grep -c socket)
                            [ $i = 1 ] && first=$now
                            [ $now -lt $first ] && break
                        done
                        echo "sockets $first then $now"
                        [ $now -lt $first ] && echo forgotten
                        kill $pid; wait $pid; echo "end $?"
                        kill $client $(jobs -p) 2>/dev/null
                        """);
        assertThat(out).contains("forgotten").contains("end 0");
    }

    /// Runs a script whose positional parameters are the product's command line.
    private static String inNamespace(Config config, String script) {
        try (SluiceProcess shell = SluiceProcess.launch(config, before(script))) {
            shell.awaitEnd(LIMIT);
            return shell.log();
        }
    }

    private static List<String> before(String script) {
        String functions =
                """
                listening() {
                    for _ in $(seq 100); do
                        grep -qi ":$(printf %04X $1) .* 0A " /proc/net/tcp /proc/net/tcp6 && return
                        sleep 0.1
                    done
                    echo "nothing listens on $1"
                }
                """;
        return new ArrayList<>(
                List.of("unshare", "-n", "--kill-child", "sh", "-c", functions + script, "sh"));
    }
}
