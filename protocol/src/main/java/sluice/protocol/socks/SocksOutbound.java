package sluice.protocol.socks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import sluice.base.config.Fields;
import sluice.base.config.Key;
import sluice.base.config.Kind;
import sluice.base.config.Secret;
import sluice.base.config.Shape;
import sluice.base.machine.DatagramClient;
import sluice.base.machine.StreamMachine;
import sluice.base.net.Destination;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;
import sluice.protocol.spi.LoopServices;
import sluice.protocol.spi.Outbound;
import sluice.protocol.uot.UdpOverTcp;

/// A configured SOCKS server of somebody else.
///
/// @param server where it listens
/// @param version which SOCKS to speak
/// @param login null where none is configured
/// @param isUdpWanted whether datagrams may go here
/// @param udpOverTcp whether datagrams go in a stream instead of an association
record SocksOutbound(
        Destination server,
        Version version,
        @Nullable Login login,
        boolean isUdpWanted,
        UdpOverTcp udpOverTcp)
        implements Outbound {

    /// Which SOCKS to speak.
    enum Version {
        V4,
        V4A,
        V5
    }

    private static final Key<Host> SERVER =
            Key.of("server", Kind.HOST).required().says("Address or name of the SOCKS server.");

    private static final Key<Integer> SERVER_PORT =
            Key.of("server_port", Kind.PORT).required().says("Port of the SOCKS server.");

    private static final Key<String> VERSION =
            Key.of("version", Kind.choice("4", "4a", "5"))
                    .otherwise("5")
                    .says("Which SOCKS to speak; 4 and 4a carry no datagrams, 4 no names.");

    private static final Key<String> USERNAME =
            Key.of("username", Kind.TEXT).says("Name to send to the server.");

    private static final Key<Secret> PASSWORD =
            Key.of("password", Kind.SECRET)
                    .says("Password to send to the server; version 5 alone has one.");

    private static final Key<List<String>> NETWORK =
            Key.list("network", Kind.choice("tcp", "udp"))
                    .otherwise(List.of("tcp", "udp"))
                    .says("What may go here.");

    /// What an operator may say.
    static final Shape<SocksOutbound> SHAPE =
            Shape.of(
                    "socks outbound",
                    SocksOutbound::read,
                    SERVER,
                    SERVER_PORT,
                    VERSION,
                    USERNAME,
                    PASSWORD,
                    NETWORK,
                    UdpOverTcp.KEY);

    @Override
    public @Nullable StreamMachine dialStream(LoopServices loop, Destination target) {
        return streamTo(target);
    }

    @Override
    public Datagrams datagrams() {
        if (!isUdpWanted) {
            return Datagrams.NONE;
        }
        if (udpOverTcp.enabled()) {
            return Datagrams.STREAM;
        }
        return version == Version.V5 ? Datagrams.ASSOCIATION : Datagrams.NONE;
    }

    @Override
    public StreamMachine[] dialDatagramStream(LoopServices loop, Destination first) {
        return new StreamMachine[] {streamTo(udpOverTcp.magic()), udpOverTcp.client()};
    }

    @Override
    public AssociationClient dialAssociation(LoopServices loop) {
        return new Association(Socks5Client.associate(login), new Socks5Packets(), server);
    }

    private StreamMachine streamTo(Destination target) {
        return switch (version) {
            case V4 -> new Socks4Client(target, userOrEmpty(), false);
            case V4A -> new Socks4Client(target, userOrEmpty(), true);
            case V5 -> Socks5Client.connect(target, login);
        };
    }

    private String userOrEmpty() {
        return login == null ? "" : login.user();
    }

    private static @Nullable SocksOutbound read(Fields fields) {
        boolean isFine = true;
        Version version =
                switch (fields.get(VERSION)) {
                    case "4" -> Version.V4;
                    case "4a" -> Version.V4A;
                    default -> Version.V5;
                };
        String user = fields.orNull(USERNAME);
        Secret password = fields.orNull(PASSWORD);
        if (user != null && isTooLong(user)) {
            fields.refuse(USERNAME, "longer than 255 bytes, the most that fits", null);
            isFine = false;
        }
        if (user != null && version != Version.V5 && user.indexOf('\0') >= 0) {
            fields.refuse(USERNAME, "version 4 ends the name at a NUL", null);
            isFine = false;
        }
        if (password != null && isTooLong(password.reveal())) {
            fields.refuse(PASSWORD, "longer than 255 bytes, the most that fits", null);
            isFine = false;
        }
        if (password != null && version != Version.V5) {
            fields.refuse(
                    PASSWORD, "version 4 carries no password", "use version 5, or leave it out");
            isFine = false;
        }
        if (password != null && user == null) {
            fields.refuse(PASSWORD, "a password needs a user name", "add \"username\"");
            isFine = false;
        }
        UdpOverTcp udpOverTcp = fields.get(UdpOverTcp.KEY);
        if (udpOverTcp.enabled() && version == Version.V4) {
            fields.refuse(
                    UdpOverTcp.KEY, "version 4 cannot ask for it by name", "use version 4a or 5");
            isFine = false;
        }
        List<String> network = fields.get(NETWORK);
        if (!network.contains("tcp")) {
            fields.refuse(
                    NETWORK,
                    "datagrams alone cannot be asked for here",
                    "leave it out and choose by rules with \"network\"");
            isFine = false;
        }
        Destination server = new Destination(fields.get(SERVER), fields.get(SERVER_PORT));
        Login login =
                user == null ? null : new Login(user, password == null ? Secret.of("") : password);
        return isFine
                ? new SocksOutbound(server, version, login, network.contains("udp"), udpOverTcp)
                : null;
    }

    private static boolean isTooLong(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length > Login.BYTES_MAX;
    }

    /// An association as the engine sees it.
    private record Association(Socks5Client client, DatagramClient packets, Destination server)
            implements AssociationClient {

        @Override
        public StreamMachine control() {
            return client;
        }

        /// The relay as the server names it, except that a private address of a public server is
        /// that of a server behind address translation, which does not know better.
        @Override
        public Destination relay() {
            Destination bound = client.bound();
            boolean isHidden =
                    bound.host() instanceof IpAddress address
                            && address.isPrivate()
                            && server.host() instanceof IpAddress known
                            && !known.isPrivate();
            return isHidden ? new Destination(IpAddress.ANY_V4, bound.port()) : bound;
        }
    }
}
