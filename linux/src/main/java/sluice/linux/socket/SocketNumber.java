package sluice.linux.socket;

/// What a socket number tells besides its descriptor, so that no table is needed that all loops
/// share: bit 30 marks a datagram socket, bit 29 one of family IPv6. Streams are plain descriptors.
public final class SocketNumber {

    private static final int DATAGRAM = 1 << 30;
    private static final int V6 = 1 << 29;
    private static final int FD_MASK = V6 - 1;

    private SocketNumber() {}

    /// The number of a datagram socket.
    static int ofDatagrams(int fd, boolean v6) {
        return fd | DATAGRAM | (v6 ? V6 : 0);
    }

    /// The descriptor.
    public static int fd(int socket) {
        return socket & FD_MASK;
    }

    /// Whether it is a datagram socket.
    public static boolean isDatagrams(int socket) {
        return (socket & DATAGRAM) != 0;
    }

    /// Whether it is a datagram socket of family IPv6.
    static boolean isV6(int socket) {
        return (socket & V6) != 0;
    }
}
