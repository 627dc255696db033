package sluice.portable;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;

/// Makes channels as the options say. An interface or a mark cannot be chosen here; asking for one
/// is refused, because traffic that goes elsewhere is worse than none. What only makes things
/// faster is ignored.
final class SocketSetup {

    private static final int LISTENER_BUFFER_BYTES = 4 << 20;
    private static final int FLOW_BUFFER_BYTES = 1 << 20;

    private SocketSetup() {}

    static ServerSocketChannel listen(Endpoint at, ListenOptions options) throws IOException {
        refuse(options.bindInterface(), options.routingMark());
        ServerSocketChannel channel = ServerSocketChannel.open(Addresses.family(at.address()));
        try {
            set(channel, StandardSocketOptions.SO_REUSEADDR, options.reuseAddress());
            if (options.reusePort()) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(Addresses.toJdk(at), options.backlog());
            channel.configureBlocking(false);
            return channel;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    static void accepted(SocketChannel channel, int idleSeconds, int intervalSeconds)
            throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        keepAlive(channel, idleSeconds, intervalSeconds);
    }

    /// A stream that is ready to connect.
    static SocketChannel dialling(IpAddress to, DialOptions options) throws IOException {
        refuse(options.bindInterface(), options.routingMark());
        SocketChannel channel = SocketChannel.open(Addresses.family(to));
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            set(channel, StandardSocketOptions.SO_REUSEADDR, options.reuseAddress());
            keepAlive(channel, options.keepAliveIdleSeconds(), options.keepAliveIntervalSeconds());
            IpAddress source = to.isV4() ? options.bindV4() : options.bindV6();
            if (source != null) {
                channel.bind(Addresses.toJdk(new Endpoint(source, 0)));
            }
            return channel;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    static DatagramChannel bind(Endpoint at, ListenOptions options) throws IOException {
        refuse(options.bindInterface(), options.routingMark());
        DatagramChannel channel = DatagramChannel.open(Addresses.family(at.address()));
        try {
            channel.configureBlocking(false);
            if (options.reusePort()) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(Addresses.toJdk(at));
            enlarge(channel, LISTENER_BUFFER_BYTES);
            return channel;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    static DatagramChannel dialling(DialOptions options, IpAddress family) throws IOException {
        refuse(options.bindInterface(), options.routingMark());
        DatagramChannel channel = DatagramChannel.open(Addresses.family(family));
        try {
            channel.configureBlocking(false);
            if (!options.udpFragment()) {
                set(channel, ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            IpAddress source = family.isV4() ? options.bindV4() : options.bindV6();
            channel.bind(source == null ? null : Addresses.toJdk(new Endpoint(source, 0)));
            enlarge(channel, FLOW_BUFFER_BYTES);
            return channel;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private static void refuse(@Nullable String bindInterface, int routingMark) {
        if (bindInterface != null || routingMark != 0) {
            throw new UnsupportedOperationException("interface or mark");
        }
    }

    private static void keepAlive(SocketChannel channel, int idleSeconds, int intervalSeconds)
            throws IOException {
        if (idleSeconds > 0) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, idleSeconds);
            if (intervalSeconds > 0) {
                set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, intervalSeconds);
            }
        }
    }

    private static void enlarge(DatagramChannel channel, int bytes) throws IOException {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, bytes);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, bytes);
    }

    private static <T> void set(NetworkChannel channel, SocketOption<T> option, T value)
            throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }
}
