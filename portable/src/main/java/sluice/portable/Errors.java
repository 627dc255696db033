package sluice.portable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.Locale;
import sluice.base.os.Errno;

/// Exceptions of `java.nio` as error numbers. The runtime puts the system's own text into the
/// message, which is all that tells most of them apart.
final class Errors {

    private Errors() {}

    /// The negated error number.
    static int of(Exception failure) {
        if (failure instanceof UnsupportedOperationException) {
            return -Errno.EOPNOTSUPP;
        }
        if (failure instanceof NotYetConnectedException) {
            return -Errno.ENOTCONN;
        }
        if (failure instanceof IllegalArgumentException) {
            return -Errno.EINVAL;
        }
        return failure instanceof IOException io ? -ofIo(io) : -Errno.EINVAL;
    }

    private static int ofIo(IOException failure) {
        if (failure instanceof ClosedChannelException) {
            return Errno.EBADF;
        }
        String message = failure.getMessage();
        int named = message == null ? 0 : ofMessage(message.toLowerCase(Locale.ROOT));
        if (named != 0) {
            return named;
        }
        if (failure instanceof ConnectException || failure instanceof PortUnreachableException) {
            return Errno.ECONNREFUSED;
        }
        return failure instanceof NoRouteToHostException ? Errno.EHOSTUNREACH : Errno.EIO;
    }

    private static int ofMessage(String message) {
        if (message.contains("reset")) {
            return Errno.ECONNRESET;
        }
        if (message.contains("broken pipe")) {
            return Errno.EPIPE;
        }
        if (message.contains("abort")) {
            return Errno.ECONNABORTED;
        }
        if (message.contains("timed out")) {
            return Errno.ETIMEDOUT;
        }
        if (message.contains("refused")) {
            return Errno.ECONNREFUSED;
        }
        if (message.contains("network is unreachable")) {
            return Errno.ENETUNREACH;
        }
        if (message.contains("no route")) {
            return Errno.EHOSTUNREACH;
        }
        return ofMessageAboutOurselves(message);
    }

    private static int ofMessageAboutOurselves(String message) {
        if (message.contains("already in use")) {
            return Errno.EADDRINUSE;
        }
        if (message.contains("assign requested address") || message.contains("not available")) {
            return Errno.EADDRNOTAVAIL;
        }
        if (message.contains("too many open files")) {
            return Errno.EMFILE;
        }
        if (message.contains("message too long")) {
            return Errno.EMSGSIZE;
        }
        if (message.contains("no such device")) {
            return Errno.ENODEV;
        }
        if (message.contains("permission denied")) {
            return Errno.EACCES;
        }
        if (message.contains("not permitted")) {
            return Errno.EPERM;
        }
        return message.contains("protocol family") ? Errno.EAFNOSUPPORT : 0;
    }
}
