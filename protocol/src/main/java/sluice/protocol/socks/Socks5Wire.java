package sluice.protocol.socks;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;
import sluice.base.machine.OpenOutcome;
import sluice.base.net.Destination;
import sluice.protocol.address.AddressForm;

/// Octets of SOCKS5 (RFC 1928, RFC 1929).
final class Socks5Wire {

    // RFC 1928 §3
    static final int VERSION = 0x05;
    static final int METHOD_NONE = 0x00;
    static final int METHOD_PASSWORD = 0x02;
    static final int METHOD_UNACCEPTABLE = 0xff;

    // RFC 1929 §2
    static final int PASSWORD_VERSION = 0x01;
    static final int PASSWORD_OK = 0x00;
    static final int PASSWORD_WRONG = 0x01;

    // RFC 1928 §4
    static final int COMMAND_CONNECT = 0x01;
    static final int COMMAND_ASSOCIATE = 0x03;

    // RFC 1928 §6
    static final int SUCCEEDED = 0x00;
    static final int GENERAL_FAILURE = 0x01;
    static final int NOT_ALLOWED = 0x02;
    static final int NETWORK_UNREACHABLE = 0x03;
    static final int HOST_UNREACHABLE = 0x04;
    static final int REFUSED = 0x05;
    static final int TTL_EXPIRED = 0x06;
    static final int COMMAND_UNSUPPORTED = 0x07;
    static final int ADDRESS_TYPE_UNSUPPORTED = 0x08;

    /// Where the address begins in requests and replies, behind version, command or code, and a
    /// reserved octet.
    static final int ADDRESS_OFFSET = 3;

    /// Bytes before the address of a datagram: two reserved ones and FRAG (RFC 1928 §7).
    static final int DATAGRAM_ADDRESS_OFFSET = 3;

    static final int FRAGMENT_OFFSET = 2;

    /// Most bytes of the header of a datagram.
    static final int DATAGRAM_HEADER_BYTES_MAX =
            DATAGRAM_ADDRESS_OFFSET + AddressForm.ENCODED_BYTES_MAX;

    /// The most a UDP datagram over IPv4 can carry: 65,535 less 20 bytes of IP and 8 of UDP header.
    static final int UDP_PAYLOAD_BYTES_MAX = 65_507;

    private Socks5Wire() {}

    /// Sends two octets: a method choice or a password status.
    static void sendPair(int first, int second, Effects out) {
        Buf pair = out.acquire(2);
        pair.put(first);
        pair.put(second);
        out.send(pair);
    }

    /// Sends a reply whose bound address is 0.0.0.0:0: clients ignore it after CONNECT, and some
    /// very old ones cannot read anything but IPv4 there.
    static void sendReply(int code, Effects out) {
        Buf reply = out.acquire(10);
        reply.put(VERSION);
        reply.put(code);
        reply.put(0);
        reply.put(AddressForm.SOCKS.ipv4());
        for (int i = 0; i < 6; i++) {
            reply.put(0);
        }
        out.send(reply);
    }

    /// Sends a reply that names `bound`.
    static void sendReply(int code, Destination bound, Effects out) {
        Buf reply = out.acquire(ADDRESS_OFFSET + AddressForm.ENCODED_BYTES_MAX);
        reply.put(VERSION);
        reply.put(code);
        reply.put(0);
        AddressForm.SOCKS.write(bound, reply);
        out.send(reply);
    }

    /// The reply code that tells a client of `outcome`.
    static int codeFor(OpenOutcome outcome) {
        return switch (outcome) {
            case OK -> SUCCEEDED;
            case DENIED -> NOT_ALLOWED;
            case NETWORK_UNREACHABLE -> NETWORK_UNREACHABLE;
            case HOST_UNREACHABLE, TIMED_OUT -> HOST_UNREACHABLE;
            case REFUSED -> REFUSED;
            case FAILED -> GENERAL_FAILURE;
        };
    }

    /// What a server's reply code means.
    static OpenOutcome outcomeFor(int code) {
        return switch (code) {
            case SUCCEEDED -> OpenOutcome.OK;
            case NOT_ALLOWED -> OpenOutcome.DENIED;
            case NETWORK_UNREACHABLE -> OpenOutcome.NETWORK_UNREACHABLE;
            case HOST_UNREACHABLE -> OpenOutcome.HOST_UNREACHABLE;
            case REFUSED -> OpenOutcome.REFUSED;
            case TTL_EXPIRED -> OpenOutcome.TIMED_OUT;
            default -> OpenOutcome.FAILED;
        };
    }

    /// The code's name, for logs.
    static String nameOf(int code) {
        return switch (code) {
            case SUCCEEDED -> "succeeded";
            case NOT_ALLOWED -> "not allowed";
            case NETWORK_UNREACHABLE -> "network unreachable";
            case HOST_UNREACHABLE -> "host unreachable";
            case REFUSED -> "connection refused";
            case TTL_EXPIRED -> "TTL expired";
            case COMMAND_UNSUPPORTED -> "command not supported";
            case ADDRESS_TYPE_UNSUPPORTED -> "address type not supported";
            default -> "general failure";
        };
    }
}
