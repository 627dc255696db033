package sluice.protocol.socks;

import sluice.base.buf.Buf;
import sluice.base.machine.Effects;

/// Octets of SOCKS 4 and 4a, after the protocol notes.
///
///     request: VN 04 | CD | DSTPORT u16be | DSTIP | USERID … 00 | HOST … 00 (4a: DSTIP 0.0.0.x, x not 0)
///     reply:   VN 00 | CD | DSTPORT u16be | DSTIP
final class Socks4Wire {

    static final int VERSION = 0x04;
    static final int REPLY_VERSION = 0x00;
    static final int COMMAND_CONNECT = 0x01;
    static final int GRANTED = 90;
    static final int REJECTED = 91;

    static final int PORT_OFFSET = 2;
    static final int ADDRESS_OFFSET = 4;
    static final int USER_OFFSET = 8;
    static final int REPLY_BYTES = 8;

    /// Chosen: the format has no limit for user and host. No name is longer than 255 bytes.
    static final int TEXT_BYTES_MAX = 255;

    private Socks4Wire() {}

    /// Sends a reply; clients ignore the address in it.
    static void sendReply(int code, Effects out) {
        Buf reply = out.acquire(REPLY_BYTES);
        reply.put(REPLY_VERSION);
        reply.put(code);
        for (int i = 2; i < REPLY_BYTES; i++) {
            reply.put(0);
        }
        out.send(reply);
    }
}
