package sluice.linux.ffi;

/// Numbers of the kernel's user interface (include/uapi), the same on x86-64 and arm64.
public final class Abi {

    // Families, types, protocols: socket(2).
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int IPPROTO_MPTCP = 262;

    // Descriptors: pipe2(2), eventfd(2), fcntl(2).
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;
    public static final int F_SETPIPE_SZ = 1031;
    public static final int F_GETPIPE_SZ = 1032;
    public static final int RLIMIT_NOFILE = 7;

    // epoll_ctl(2).
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLLIN = 0x1;
    public static final int EPOLLPRI = 0x2;
    public static final int EPOLLOUT = 0x4;
    public static final int EPOLLERR = 0x8;
    public static final int EPOLLHUP = 0x10;
    public static final int EPOLLRDHUP = 0x2000;
    public static final int EPOLLET = 1 << 31;

    // Flags of send(2), recv(2) and their kin.
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_MORE = 0x8000;
    public static final int SHUT_WR = 1;

    // splice(2).
    public static final int SPLICE_F_NONBLOCK = 2;
    public static final int SPLICE_F_MORE = 4;

    // socket(7).
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_TYPE = 3;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_LINGER = 13;
    public static final int SO_REUSEPORT = 15;
    public static final int SO_BINDTODEVICE = 25;
    public static final int SO_SNDBUFFORCE = 32;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SO_MARK = 36;

    // ip(7), ipv6(7).
    public static final int SOL_IP = 0;
    public static final int IP_PKTINFO = 8;
    public static final int IP_MTU_DISCOVER = 10;
    public static final int IP_TRANSPARENT = 19;
    public static final int IP_BIND_ADDRESS_NO_PORT = 24;
    public static final int SOL_IPV6 = 41;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_RECVPKTINFO = 49;
    public static final int IPV6_PKTINFO = 50;
    public static final int PMTUDISC_DO = 2;

    // tcp(7).
    public static final int SOL_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_FASTOPEN = 23;
    public static final int TCP_FASTOPEN_CONNECT = 30;

    // udp(7).
    public static final int SOL_UDP = 17;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;

    // mmap(2).
    public static final int PROT_READ_WRITE = 3;
    public static final int MAP_PRIVATE_ANONYMOUS = 0x22;

    // madvise(2).
    public static final int MADV_DONTNEED = 4;

    private Abi() {}
}
