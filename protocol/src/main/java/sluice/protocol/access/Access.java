package sluice.protocol.access;

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
public record Access(Users users, boolean earlyReply) {

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

    /// The keys that [#from] reads.
    public static List<Key<?>> keys() {
        return List.of(USERS, EARLY_REPLY);
    }

    /// Reads [#USERS] and [#EARLY_REPLY]; null after an error was reported.
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
        return isFine ? new Access(new Users(users), fields.get(EARLY_REPLY)) : null;
    }
}
