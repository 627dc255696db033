package sluice.base.os;

/// The errno values that this program handles by name. Drivers return them negated; they are
/// Linux's numbers, which drivers for other systems translate to.
public final class Errno {

    /// Operation not permitted.
    public static final int EPERM = 1;

    /// Interrupted; try again at once.
    public static final int EINTR = 4;

    /// Input or output failed.
    public static final int EIO = 5;

    /// Bad descriptor.
    public static final int EBADF = 9;

    /// Not ready; wait for readiness.
    public static final int EAGAIN = 11;

    /// Out of memory.
    public static final int ENOMEM = 12;

    /// Permission denied.
    public static final int EACCES = 13;

    /// No such device, such as a network interface.
    public static final int ENODEV = 19;

    /// Invalid argument.
    public static final int EINVAL = 22;

    /// Too many open files in the system.
    public static final int ENFILE = 23;

    /// Too many open files in this process.
    public static final int EMFILE = 24;

    /// The peer reads no more.
    public static final int EPIPE = 32;

    /// Datagram too large.
    public static final int EMSGSIZE = 90;

    /// Protocol option not available.
    public static final int ENOPROTOOPT = 92;

    /// Operation not supported.
    public static final int EOPNOTSUPP = 95;

    /// Address family not supported.
    public static final int EAFNOSUPPORT = 97;

    /// Address in use.
    public static final int EADDRINUSE = 98;

    /// No such local address, or no free port.
    public static final int EADDRNOTAVAIL = 99;

    /// Network unreachable.
    public static final int ENETUNREACH = 101;

    /// Connection aborted.
    public static final int ECONNABORTED = 103;

    /// Connection reset by the peer.
    public static final int ECONNRESET = 104;

    /// No buffer space.
    public static final int ENOBUFS = 105;

    /// Not connected.
    public static final int ENOTCONN = 107;

    /// Connection timed out.
    public static final int ETIMEDOUT = 110;

    /// Connection refused.
    public static final int ECONNREFUSED = 111;

    /// No route to host.
    public static final int EHOSTUNREACH = 113;

    /// Connect under way.
    public static final int EINPROGRESS = 115;

    private Errno() {}

    /// Name and meaning, e.g. `ECONNREFUSED (connection refused)`.
    ///
    /// @param errno positive value
    public static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM (operation not permitted)";
            case EINTR -> "EINTR (interrupted)";
            case EIO -> "EIO (input or output failed)";
            case EBADF -> "EBADF (bad descriptor)";
            case EAGAIN -> "EAGAIN (not ready)";
            case ENOMEM -> "ENOMEM (out of memory)";
            case EACCES -> "EACCES (permission denied)";
            case ENODEV -> "ENODEV (no such device)";
            case EINVAL -> "EINVAL (invalid argument)";
            case ENFILE -> "ENFILE (too many open files in the system)";
            case EMFILE -> "EMFILE (too many open files in this process)";
            case EPIPE -> "EPIPE (the peer reads no more)";
            case EMSGSIZE -> "EMSGSIZE (datagram too large)";
            case ENOPROTOOPT -> "ENOPROTOOPT (option not available)";
            case EOPNOTSUPP -> "EOPNOTSUPP (not supported)";
            case EAFNOSUPPORT -> "EAFNOSUPPORT (address family not supported)";
            case EADDRINUSE -> "EADDRINUSE (address in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (no such local address, or no free port)";
            case ENETUNREACH -> "ENETUNREACH (network unreachable)";
            case ECONNABORTED -> "ECONNABORTED (connection aborted)";
            case ECONNRESET -> "ECONNRESET (connection reset by the peer)";
            case ENOBUFS -> "ENOBUFS (no buffer space)";
            case ENOTCONN -> "ENOTCONN (not connected)";
            case ETIMEDOUT -> "ETIMEDOUT (connection timed out)";
            case ECONNREFUSED -> "ECONNREFUSED (connection refused)";
            case EHOSTUNREACH -> "EHOSTUNREACH (no route to host)";
            case EINPROGRESS -> "EINPROGRESS (under way)";
            default -> "errno " + errno;
        };
    }
}
