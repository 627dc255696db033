package sluice.protocol.access;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;

/// How clients come in through protocols that ask for a name and a password.
///
/// @param users empty where everybody may
/// @param earlyReply whether success is told before the target is dialled: saves the client a round
///   trip; a failure then shows as a reset
/// @param handshakeNanos from accept to the complete request
public record Access(Users users, boolean earlyReply, long handshakeNanos) {

    /// Who may come in.
    public static final Key<List<User>> USERS =
            Key.objects("users", User.SHAPE)
                    .says("Who may use it; everybody where nobody is listed.");

    /// Success before dialling.
    public static final Key<Boolean> EARLY_REPLY =
            Key.of("early_reply", Kind.FLAG)
                    .otherwise(false)
                    .says(
                            "Tell clients of success before the target is dialled; saves a round trip, and a failure"
                                    + " is a reset instead of a reply.");

    /// Chosen: people type no handshakes, and phones that lose signal in one must not leave
    /// anything behind for long. One deadline for the whole handshake.
    public static final Key<Duration> HANDSHAKE_TIMEOUT =
            Key.of("handshake_timeout", Kind.DURATION)
                    .otherwise(Duration.ofSeconds(10))
                    .says("From accept to the complete request of the client, as a whole.");

    /// The keys that [#from] reads.
    public static List<Key<?>> keys() {
        return List.of(USERS, EARLY_REPLY, HANDSHAKE_TIMEOUT);
    }

    /// Reads [#USERS], [#EARLY_REPLY] and [#HANDSHAKE_TIMEOUT]; null after an error was reported.
    public static @Nullable Access from(Fields fields) {
        List<User> users = fields.get(USERS);
        Set<String> names = new HashSet<>();
        boolean isFine = true;
        for (int i = 0; i < users.size(); i++) {
            if (!names.add(users.get(i).name())) {
                fields.refuseAt(USERS, i, "this user name stands twice", null);
                isFine = false;
            }
        }
        Duration handshake = fields.get(HANDSHAKE_TIMEOUT);
        if (!isAtLeastOneMilli(handshake)) {
            fields.refuse(HANDSHAKE_TIMEOUT, "no handshake is that fast", "write \"10s\"");
            isFine = false;
        }
        return isFine
                ? new Access(new Users(users), fields.get(EARLY_REPLY), handshake.toNanos())
                : null;
    }

    private static boolean isAtLeastOneMilli(Duration duration) {
        return duration.compareTo(Duration.ofMillis(1)) >= 0;
    }
}
