package sluice.protocol.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import sluice.base.config.Secret;

final class UsersTest {

    private final Users users =
            new Users(
                    List.of(
                            user("alice", "open sesame"),
                            user("bob", ""),
                            // The same hash as the next one, as Java computes it.
                            user("Aa", "one"),
                            user("BB", "two"),
                            user("jürgen", "pä:ss")));

    @Test
    void knowsWhoHasTheRightPassword() {
        assertThat(login("alice", "open sesame")).isEqualTo("alice");
        assertThat(login("bob", "")).isEqualTo("bob");
        assertThat(login("jürgen", "pä:ss")).isEqualTo("jürgen");
    }

    @Test
    void tellsNamesOfEqualHashApart() {
        assertThat(login("Aa", "one")).isEqualTo("Aa");
        assertThat(login("BB", "two")).isEqualTo("BB");
        assertThat(login("Aa", "two")).isNull();
    }

    @Test
    void refusesEverythingElse() {
        assertThat(login("alice", "open sesame ")).isNull();
        assertThat(login("alice", "open sesam")).isNull();
        assertThat(login("alice", "")).isNull();
        assertThat(login("alice", "open sesameopen sesame")).isNull();
        assertThat(login("bob", "b")).isNull();
        assertThat(login("nobody", "")).isNull();
        assertThat(login("", "")).isNull();
        assertThat(login("Alice", "open sesame")).isNull();
    }

    @Test
    void namesAreKnownForAReload() {
        assertThat(users.knows("alice")).isTrue();
        assertThat(users.knows("mallory")).isFalse();
        assertThat(Users.NONE.isEmpty()).isTrue();
        assertThat(users)
                .isEqualTo(
                        new Users(
                                List.of(
                                        user("BB", "two"),
                                        user("bob", ""),
                                        user("Aa", "one"),
                                        user("jürgen", "pä:ss"),
                                        user("alice", "open sesame"))));
    }

    @Test
    void theTextHoldsNoSecret() {
        assertThat(users.toString()).isEqualTo("5 users");
        assertThat(user("alice", "open sesame").toString()).doesNotContain("sesame");
    }

    private String login(String name, String password) {
        byte[] bytes = ("xx" + name + password).getBytes(StandardCharsets.UTF_8);
        int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
        return users.nameOrNull(bytes, 2, nameBytes, 2 + nameBytes, bytes.length - 2 - nameBytes);
    }

    private static User user(String name, String password) {
        return new User(name, Secret.of(password));
    }
}
