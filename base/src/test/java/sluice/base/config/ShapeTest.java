package sluice.base.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import sluice.base.config.ConfigNode.Mapping;

final class ShapeTest {

    record User(String name, Secret password) {}

    record Options(
            String server, int port, List<User> users, boolean fast, List<String> networks) {}

    private static final Key<String> NAME = Key.of("name", Kind.NAME).required();
    private static final Key<Secret> PASSWORD = Key.of("password", Kind.SECRET).required();
    private static final Shape<User> USER =
            Shape.of("user", f -> new User(f.get(NAME), f.get(PASSWORD)), NAME, PASSWORD);

    private static final Key<String> SERVER =
            Key.of("server", Kind.NAME).required().says("Where to connect.");
    private static final Key<Integer> PORT = Key.of("server_port", Kind.PORT).otherwise(443);
    private static final Key<List<User>> USERS = Key.objects("users", USER);
    private static final Key<Boolean> FAST =
            Key.of("fast", Kind.FLAG).otherwise(false).alias("quick", "write \"fast\": true");
    private static final Key<List<String>> NETWORK = Key.list("network", Kind.choice("tcp", "udp"));
    private static final Shape<Options> OPTIONS =
            Shape.of(
                    "options",
                    f ->
                            new Options(
                                    f.get(SERVER),
                                    f.get(PORT),
                                    f.get(USERS),
                                    f.get(FAST),
                                    f.get(NETWORK)),
                    SERVER,
                    PORT,
                    USERS,
                    FAST,
                    NETWORK,
                    Key.notYet("tls", true),
                    Key.notYet("hint", false));

    private final Findings findings = new Findings();

    @Test
    void readsValuesAndDefaults() {
        Options options = OPTIONS.read(Nodes.object("server", "a.example"), "out", findings);
        assertThat(options).isEqualTo(new Options("a.example", 443, List.of(), false, List.of()));
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void oneValueStandsForAListOfOne() {
        Options options =
                OPTIONS.read(
                        Nodes.object(
                                "server", "a",
                                "network", "tcp",
                                "users", Map.of("name", "n", "password", "p")),
                        "",
                        findings);
        assertThat(findings.all()).isEmpty();
        assertThat(options.networks()).containsExactly("tcp");
        assertThat(options.users()).containsExactly(new User("n", Secret.of("p")));
    }

    @Test
    void nullIsTheSameAsAbsent() {
        Options options =
                OPTIONS.read(
                        Nodes.object("server", "a", "server_port", Nodes.nothing()), "", findings);
        assertThat(options.port()).isEqualTo(443);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void emptyTextIsTheSameAsAbsentExceptForSecretsAndInLists() {
        Mapping empty = Nodes.object("server", "", "server_port", "", "fast", "");
        assertThat(OPTIONS.read(empty, "o", findings)).isNull();
        assertThat(findings.report()).startsWith("c.json:1:1  o: needs \"server\"");
        assertThat(findings.all()).hasSize(1);
        User user = USER.read(Nodes.object("name", "a", "password", ""), "u", findings);
        assertThat(user.password()).isEqualTo(Secret.of(""));
        OPTIONS.read(Nodes.object("server", "a", "network", ""), "n", findings);
        assertThat(findings.report()).contains("n.network: \"\" is not one of");
    }

    @Test
    void reportsEverythingAtOnce() {
        Options options =
                OPTIONS.read(
                        Nodes.object(
                                "sever",
                                "a",
                                "server_port",
                                70_000,
                                "network",
                                List.of("tcp", "icmp"),
                                "users",
                                List.of(Map.of("name", "n"))),
                        "outbounds[2]",
                        findings);
        assertThat(options).isNull();
        assertThat(findings.report())
                .isEqualTo(
                        """
                        c.json:1:1  outbounds[2]: needs "server"
                            mend: add "server": … (where to connect)
                        c.json:1:1  outbounds[2].server_port: 70000 is not a port (1 to 65535)
                        c.json:1:1  outbounds[2].users[0]: needs "password"
                            mend: add "password": …
                        c.json:1:1  outbounds[2].network[1]: "icmp" is not one of "tcp", "udp"
                        c.json:2:1  outbounds[2]: unknown key "sever"; did you mean "server"?\
                        """);
    }

    @Test
    void aRequiredKeyThatIsMissingIsReportedAtTheObject() {
        OPTIONS.read(Nodes.object(), "outbounds[0]", findings);
        assertThat(findings.all())
                .extracting(Findings.Finding::toString)
                .containsExactly(
                        "c.json:1:1  outbounds[0]: needs \"server\"\n"
                                + "    mend: add \"server\": … (where to connect)");
    }

    @Test
    void anOldNameIsReadWithAWarning() {
        Options options = OPTIONS.read(Nodes.object("server", "a", "quick", true), "o", findings);
        assertThat(options.fast()).isTrue();
        assertThat(findings.report())
                .isEqualTo(
                        "c.json:2:2  warning: o.quick: is an old spelling\n"
                                + "    mend: write \"fast\": true");
        assertThat(findings.hasErrors()).isFalse();
    }

    @Test
    void anOldNameBesideTheNewOneIsAnError() {
        OPTIONS.read(Nodes.object("server", "a", "fast", true, "quick", true), "o", findings);
        assertThat(findings.report()).contains("o.quick: says the same as \"fast\" at c.json:2:2");
        assertThat(findings.hasErrors()).isTrue();
    }

    @Test
    void whatIsNotSupportedYetIsAnErrorWhereItMattersAndAWarningElsewhere() {
        OPTIONS.read(
                Nodes.object("server", "a", "tls", Map.of("enabled", true), "hint", "x"),
                "o",
                findings);
        assertThat(findings.report())
                .isEqualTo(
                        """
                        c.json:2:2  o.tls: is not supported yet, and traffic would go another way without it
                            mend: remove it
                        c.json:2:3  warning: o.hint: is not supported yet; passed over\
                        """);
    }

    @Test
    void whatIsSwitchedOffNeedsNoSupport() {
        OPTIONS.read(
                Nodes.object("server", "a", "tls", Map.of("enabled", false), "hint", ""),
                "o",
                findings);
        OPTIONS.read(Nodes.object("server", "a", "tls", false, "hint", List.of()), "o", findings);
        assertThat(findings.all()).isEmpty();
    }

    @Test
    void keysThatSomebodyElseReadsAreNotUnknownAndAreCandidates() {
        Mapping node = Nodes.object("server", "a", "listen", "::", "lisen_port", 1);
        OPTIONS.read(node, "o", findings, Beside.of(Set.of("listen", "listen_port")));
        assertThat(findings.report())
                .isEqualTo(
                        "c.json:2:3  o: unknown key \"lisen_port\"; did you mean \"listen_port\"?");
    }

    @Test
    void aNameOfAnotherProgramIsNamedAfterTheKeyThatIsMeant() {
        Beside beside =
                new Beside(
                        Set.of("listen", "listen_port", "old"),
                        List.of("listen", "listen_port"),
                        Map.of("port", "listen_port", "path", "nowhere"));
        OPTIONS.read(Nodes.object("server", "a", "port", 1, "path", "x"), "o", findings, beside);
        assertThat(findings.report())
                .isEqualTo(
                        """
                        c.json:2:2  o: unknown key "port"; did you mean "listen_port"?
                        c.json:2:3  o: unknown key "path"
                            mend: there are listen, listen_port, server, server_port, users, fast, network\
                        """);
    }

    @Test
    void theMakerMayRefuseAValueAtItsPlace() {
        Key<List<String>> names = Key.list("names", Kind.NAME);
        Shape<List<String>> shape =
                Shape.of(
                        "names",
                        fields -> {
                            fields.refuseAt(names, 1, "stands twice", "remove it");
                            fields.warn(names, "is long", null);
                            return null;
                        },
                        names);
        assertThat(shape.read(Nodes.object("names", List.of("a", "a")), "o", findings)).isNull();
        assertThat(findings.report())
                .isEqualTo(
                        """
                        c.json:1:1  o.names[1]: stands twice
                            mend: remove it
                        c.json:1:1  warning: o.names: is long\
                        """);
    }

    @Test
    void theMakerEndsAtAValueThatWasRefused() {
        Key<Integer> port = Key.of("port", Kind.PORT);
        Shape<String> shape =
                Shape.of(
                        "port",
                        fields -> {
                            fields.warn("is looked at first", null);
                            fields.orNull(port);
                            throw new AssertionError("went on without the port");
                        },
                        port);
        assertThat(shape.read(Nodes.object("port", 0), "", findings)).isNull();
        assertThat(findings.report()).contains("is looked at first", "0 is not a port");
    }

    @Test
    void aFlagMayStandForAnObject() {
        Key<Options> key = Key.flagOrObject("o", OPTIONS, option("on"), option("off"));
        Shape<Options> shape = Shape.of("flag", fields -> fields.get(key), key);
        assertThat(shape.read(Nodes.object("o", true), "", findings)).isEqualTo(option("on"));
        assertThat(shape.read(Nodes.object("o", false), "", findings)).isEqualTo(option("off"));
        assertThat(shape.read(Nodes.object(), "", findings)).isEqualTo(option("off"));
        assertThat(shape.read(Nodes.object("o", Map.of("server", "x")), "", findings))
                .isEqualTo(option("x"));
        assertThat(findings.all()).isEmpty();
        shape.read(Nodes.object("o", "yes"), "", findings);
        assertThat(findings.report()).isEqualTo("c.json:1:1  o: \"yes\" is not true or false");
    }

    @Test
    void freeKeysHoldTextsOrListsOfThem() {
        Key<Map<String, List<String>>> key = Key.map("headers");
        Shape<Map<String, List<String>>> shape =
                Shape.of("headers", fields -> fields.get(key), key);
        assertThat(
                        shape.read(
                                Nodes.object("headers", Map.of("A", "1", "B", List.of("2", "3"))),
                                "",
                                findings))
                .isEqualTo(Map.of("A", List.of("1"), "B", List.of("2", "3")));
        shape.read(Nodes.object("headers", Map.of("A", 1)), "", findings);
        assertThat(findings.report()).contains("headers.A: 1 is not text");
    }

    @Test
    void aRefusedPartMayBeReplacedSoThatTheRestIsStillChecked() {
        Key<Integer> port = Key.of("port", Kind.PORT).otherwise(1);
        Shape<Integer> shape = Shape.of("port", fields -> fields.getOr(port, 7), port);
        assertThat(shape.read(Nodes.object("port", "x"), "", findings)).isEqualTo(7);
        assertThat(shape.read(Nodes.object("port", 5), "", findings)).isEqualTo(5);
        assertThat(shape.read(Nodes.object(), "", findings)).isEqualTo(1);
    }

    @Test
    void twoKeysOfOneNameAreABug() {
        assertThatThrownBy(() -> Shape.of("x", _ -> "", SERVER, SERVER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void somethingElseThanAnObjectIsReported() {
        OPTIONS.read(Nodes.of(List.of()), "o", findings);
        OPTIONS.read(Nodes.of("x"), "p", findings);
        assertThat(findings.report())
                .isEqualTo(
                        """
                        c.json:1:1  o: a list where an object is expected
                        c.json:1:1  p: text where an object is expected\
                        """);
    }

    private static Options option(String server) {
        return new Options(server, 443, List.of(), false, List.of());
    }
}
