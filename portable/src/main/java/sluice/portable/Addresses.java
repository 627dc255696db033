package sluice.portable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;

/// Our addresses as the JDK's, and back.
final class Addresses {

    private Addresses() {}

    static InetSocketAddress toJdk(Endpoint endpoint) {
        byte[] bytes = new byte[endpoint.address().bytes()];
        endpoint.address().writeTo(bytes, 0);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), endpoint.port());
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static Endpoint fromJdk(SocketAddress address) {
        InetSocketAddress inet = (InetSocketAddress) address;
        byte[] bytes = inet.getAddress().getAddress();
        return new Endpoint(IpAddress.of(bytes, 0, bytes.length), inet.getPort());
    }

    static StandardProtocolFamily family(IpAddress address) {
        return address.isV4() ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }
}
