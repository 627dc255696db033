package sluice.protocol.access;

import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Secret;
import sluice.base.config.Shape;

/// Someone who may use an inbound.
///
/// @param name for the wire, rules, limits and logs
/// @param password may be empty
public record User(String name, Secret password) {

    private static final Key<String> USERNAME =
            Key.of("username", Kind.NAME).required().says("Name that the client sends.");

    private static final Key<Secret> PASSWORD =
            Key.of("password", Kind.SECRET)
                    .otherwise(Secret.of(""))
                    .says("Password that the client sends; SOCKS4 users have an empty one.");

    /// What an operator may say of a user.
    public static final Shape<User> SHAPE =
            Shape.of(
                    "user with password",
                    fields -> new User(fields.get(USERNAME), fields.get(PASSWORD)),
                    USERNAME,
                    PASSWORD);
}
