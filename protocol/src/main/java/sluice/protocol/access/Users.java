package sluice.protocol.access;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Secret;

/// The users of one inbound. Immutable, shared by all loops.
///
/// A login is found by the hash of its name and then compared in a time that depends on what the
/// client sent alone: an unknown name is compared too, with a login that nothing equals.
public final class Users {

    /// Nobody in particular: everybody may come in.
    public static final Users NONE = new Users(List.of());

    private static final Login NOBODY = new Login("", new byte[0], new byte[0], null);

    private final Map<Integer, Login> logins = new HashMap<>();
    private final Map<String, User> users = new HashMap<>();

    /// @param users their names must differ
    public Users(List<User> users) {
        for (User user : users) {
            byte[] name = user.name().getBytes(StandardCharsets.UTF_8);
            int hash = hash(name, 0, name.length);
            logins.put(
                    hash,
                    new Login(user.name(), name, user.password().revealBytes(), logins.get(hash)));
            this.users.put(user.name(), user);
        }
    }

    /// Whether no users are configured.
    public boolean isEmpty() {
        return users.isEmpty();
    }

    /// Whether `name` is one of them.
    public boolean knows(String name) {
        return users.containsKey(name);
    }

    /// The password of `name`, or null where there is no such user.
    public @Nullable Secret secretOrNull(@Nullable String name) {
        User user = name == null ? null : users.get(name);
        return user == null ? null : user.password();
    }

    /// The name of the user whose name and password stand in `array`, or null where there is none.
    public @Nullable String nameOrNull(
            byte[] array, int nameOffset, int nameBytes, int passwordOffset, int passwordBytes) {
        Login login = logins.getOrDefault(hash(array, nameOffset, nameBytes), NOBODY);
        String found = null;
        while (login != null) {
            int difference = differ(login.name, array, nameOffset, nameBytes);
            difference |= differ(login.password, array, passwordOffset, passwordBytes);
            if (difference == 0 && login != NOBODY) {
                found = login.user;
            }
            login = login.sameHash;
        }
        return found;
    }

    /// 0 where both are equal. The time depends on `bytes` alone.
    private static int differ(byte[] secret, byte[] array, int offset, int bytes) {
        int difference = secret.length ^ bytes;
        if (secret.length == 0) {
            return difference;
        }
        int at = 0;
        for (int i = 0; i < bytes; i++) {
            difference |= secret[at] ^ array[offset + i];
            at = at + 1 == secret.length ? 0 : at + 1;
        }
        return difference;
    }

    private static int hash(byte[] array, int offset, int bytes) {
        int hash = 1;
        for (int i = offset; i < offset + bytes; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Users same && same.users.equals(users);
    }

    @Override
    public int hashCode() {
        return users.hashCode();
    }

    @Override
    public String toString() {
        return users.size() + " users";
    }

    /// @param sameHash another one whose name has the same hash
    private record Login(String user, byte[] name, byte[] password, @Nullable Login sameHash) {}
}
