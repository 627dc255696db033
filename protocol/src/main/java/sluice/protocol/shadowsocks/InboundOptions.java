package sluice.protocol.shadowsocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Refusal;
import sluice.base.config.Secret;
import sluice.base.config.Shape;
import sluice.base.machine.Farewell;
import sluice.base.net.Destination;
import sluice.base.net.Host;

/// Reads what an operator says of an inbound.
final class InboundOptions {

    /// SIP004 names no user, so every stranger's connection costs a try per user, 2 to 3 µs each.
    static final int AEAD_USERS_MAX = 256;

    /// Salts that SIP004 remembers at least, for it has no timestamps that would let it forget.
    /// Chosen: what others do is 20,000 to 1,000,000.
    private static final int AEAD_SALTS = 100_000;

    private static final Key<Method> METHOD =
            Key.of("method", Method.KIND)
                    .required()
                    .says("Cipher and edition, such as 2022-blake3-aes-128-gcm.");

    private static final Key<Secret> PASSWORD =
            Key.of("password", Kind.SECRET)
                    .says("Password, or the server's key in base64 (2022 methods).");

    private static final Key<String> NAME = Key.of("name", Kind.TEXT).says("For rules and logs.");

    private static final Key<Secret> THEIR_PASSWORD =
            Key.of("password", Kind.SECRET)
                    .required()
                    .says("Password, or a key in base64 (2022 methods).");

    private static final Key<Host> SERVER =
            Key.of("server", Kind.HOST).required().says("Address or name of the next server.");

    private static final Key<Integer> SERVER_PORT =
            Key.of("server_port", Kind.PORT).required().says("Port of the next server.");

    private static final Key<List<Peer>> USERS =
            Key.objects(
                            "users",
                            Shape.of(
                                    "shadowsocks user",
                                    fields ->
                                            new Peer(
                                                    fields.orNull(NAME),
                                                    fields.get(THEIR_PASSWORD),
                                                    null),
                                    NAME,
                                    THEIR_PASSWORD))
                    .says("Users behind one port.");

    private static final Key<List<Peer>> DESTINATIONS =
            Key.objects(
                            "destinations",
                            Shape.of(
                                    "shadowsocks destination",
                                    fields ->
                                            new Peer(
                                                    fields.orNull(NAME),
                                                    fields.get(THEIR_PASSWORD),
                                                    new Destination(
                                                            fields.get(SERVER),
                                                            fields.get(SERVER_PORT))),
                                    NAME,
                                    THEIR_PASSWORD,
                                    SERVER,
                                    SERVER_PORT))
                    .says(
                            "Servers to pass on to, each named by its key (a relay; 2022 AES methods).");

    private static final Key<List<String>> NETWORK =
            Key.list("network", Kind.choice("tcp", "udp"))
                    .otherwise(List.of("tcp", "udp"))
                    .says("What to listen for.");

    private static final Key<String> BAD_PEER =
            Key.of("bad_peer", Kind.choice("drain", "reset"))
                    .says(
                            "How to part from whoever fails the handshake: read on in silence until the"
                                    + " deadline, or reset at once; reset with 2022 methods, drain otherwise.");

    private static final Key<Boolean> REPLAY_PROTECTION =
            Key.of("replay_protection", Kind.FLAG)
                    .otherwise(true)
                    .says("Refuse handshakes that were seen before; 2022 methods always do.");

    private static final Key<Boolean> SEGMENTED_HEADER =
            Key.of("segmented_header", Kind.FLAG)
                    .otherwise(false)
                    .says(
                            "Wait for the rest of a 2022 header instead of refusing one that comes in"
                                    + " pieces; needed behind plugins, at the price of being easier to probe.");

    /// What an operator may say.
    static final Shape<ShadowsocksInbound> SHAPE =
            Shape.of(
                    "shadowsocks inbound",
                    fields -> new InboundOptions(fields, fields.get(METHOD)).read(),
                    METHOD,
                    PASSWORD,
                    USERS,
                    DESTINATIONS,
                    NETWORK,
                    Key.notYet("multiplex", true),
                    BAD_PEER,
                    REPLAY_PROTECTION,
                    SEGMENTED_HEADER);

    /// A user, or a server to pass on to.
    private record Peer(@Nullable String name, Secret password, @Nullable Destination next) {}

    private final Fields fields;
    private final Method method;
    private boolean isRefused;

    private InboundOptions(Fields fields, Method method) {
        this.fields = fields;
        this.method = method;
    }

    private @Nullable ShadowsocksInbound read() {
        List<Peer> users = fields.get(USERS);
        List<Peer> destinations = fields.get(DESTINATIONS);
        List<String> network = fields.get(NETWORK);
        Credential server = null;
        List<Credential> credentials = List.of();
        if (method == Method.NONE) {
            checkPlain();
        } else if (!destinations.isEmpty()) {
            checkRelay(users);
            server = ownKeyOrNull();
            credentials = peersOf(DESTINATIONS, destinations);
        } else if (!users.isEmpty()) {
            server = serverOfUsersOrNull();
            credentials = peersOf(USERS, users);
        } else {
            Credential only = ownKeyOrNull();
            credentials = only == null ? List.of() : List.of(only);
        }
        if (isRefused) {
            return null;
        }
        Acceptance acceptance =
                new Acceptance(
                        method,
                        server,
                        credentials,
                        badPeer(),
                        fields.get(SEGMENTED_HEADER),
                        seenSaltsOrNull());
        return new ShadowsocksInbound(
                acceptance,
                network.contains("tcp"),
                network.contains("udp"),
                !destinations.isEmpty());
    }

    private Farewell badPeer() {
        String said = fields.orNull(BAD_PEER);
        boolean isReset = said == null ? method.is2022() : said.equals("reset");
        return isReset ? Farewell.RESET : Farewell.DRAIN;
    }

    private @Nullable SeenSalts seenSaltsOrNull() {
        if (method == Method.NONE) {
            return null;
        }
        if (method.is2022()) {
            if (!fields.get(REPLAY_PROTECTION)) {
                fields.warn(REPLAY_PROTECTION, method + " is never without it", null);
            }
            return new SeenSalts(Wire.MEMORY_NANOS, 0);
        }
        return fields.get(REPLAY_PROTECTION) ? new SeenSalts(Wire.MEMORY_NANOS, AEAD_SALTS) : null;
    }

    private void checkPlain() {
        for (Key<?> key : List.of(PASSWORD, USERS, DESTINATIONS)) {
            if (fields.has(key)) {
                refuse(key, "the method none has no keys", "remove it");
            }
        }
    }

    private void checkRelay(List<Peer> users) {
        if (!method.hasIdentities()) {
            refuse(
                    DESTINATIONS,
                    "a relay needs identity headers, which " + method + " lacks",
                    "take 2022-blake3-aes-128-gcm or 2022-blake3-aes-256-gcm");
        }
        if (!users.isEmpty()) {
            refuse(
                    DESTINATIONS,
                    "an inbound has users or destinations, not both",
                    "make two inbounds");
        }
    }

    /// The key of identity headers, where there are any.
    private @Nullable Credential serverOfUsersOrNull() {
        if (method.is2022()) {
            if (!method.hasIdentities()) {
                refuse(
                        USERS,
                        "several users need identity headers, which are AES blocks; "
                                + method
                                + " has none",
                        "take 2022-blake3-aes-128-gcm or 2022-blake3-aes-256-gcm");
                return null;
            }
            return ownKeyOrNull();
        }
        if (fields.has(PASSWORD)) {
            fields.warn(PASSWORD, "has no effect beside users with " + method, "remove it");
        }
        if (fields.get(USERS).size() > AEAD_USERS_MAX) {
            refuse(
                    USERS,
                    fields.get(USERS).size()
                            + " users; "
                            + method
                            + " tries their keys one by one, so "
                            + AEAD_USERS_MAX
                            + " is the most",
                    "take 2022-blake3-aes-128-gcm, which looks them up");
        }
        return null;
    }

    private @Nullable Credential ownKeyOrNull() {
        Secret password = fields.orNull(PASSWORD);
        if (password == null || password.isEmpty()) {
            refuse(PASSWORD, fields.has(PASSWORD) ? "is empty" : "needs a password", mend());
            return null;
        }
        if (method.is2022() && password.reveal().indexOf(':') >= 0) {
            refuse(
                    PASSWORD,
                    "holds several keys; a server has one",
                    "give the server's key here and each user's under users");
            return null;
        }
        try {
            return Credential.ofPassword(method, null, password.reveal());
        } catch (Refusal refusal) {
            refuse(PASSWORD, String.valueOf(refusal.getMessage()), refusal.mend());
            return null;
        }
    }

    private @Nullable String mend() {
        return method.is2022() ? "sluice generate ss-key " + method : null;
    }

    private List<Credential> peersOf(Key<List<Peer>> key, List<Peer> peers) {
        List<Credential> credentials = new ArrayList<>(peers.size());
        Map<String, Integer> indexes = new HashMap<>();
        for (int i = 0; i < peers.size(); i++) {
            Credential credential = credentialOrNull(key, i, peers.get(i));
            if (credential == null) {
                continue;
            }
            Integer twin = indexes.putIfAbsent(HexFormat.of().formatHex(credential.key()), i);
            if (twin != null) {
                isRefused = true;
                fields.refuseAt(
                        key,
                        i,
                        "has the same key as "
                                + key
                                + "["
                                + twin
                                + "]; nobody could tell the two apart",
                        mend());
            }
            credentials.add(credential);
        }
        return credentials;
    }

    private @Nullable Credential credentialOrNull(Key<?> key, int index, Peer peer) {
        String name = peer.name() == null ? Integer.toString(index) : peer.name();
        if (peer.password().isEmpty()) {
            isRefused = true;
            fields.refuseAt(key, index, "has an empty password", mend());
            return null;
        }
        try {
            Credential credential = Credential.ofPassword(method, name, peer.password().reveal());
            return peer.next() == null ? credential : credential.to(method, peer.next());
        } catch (Refusal refusal) {
            isRefused = true;
            fields.refuseAt(key, index, "password: " + refusal.getMessage(), refusal.mend());
            return null;
        }
    }

    private void refuse(Key<?> key, String reason, @Nullable String mend) {
        isRefused = true;
        fields.refuse(key, reason, mend);
    }
}
