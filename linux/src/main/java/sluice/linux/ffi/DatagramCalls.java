package sluice.linux.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import sluice.base.os.Errno;

/// recvmmsg(2), sendmmsg(2), sendto(2) and memory for them, for one thread. Results below 0 are
/// negated error numbers; interrupted calls are repeated. Ordinary calls: on loopback a batch that
/// is sent runs through its receiver's stack as well.
public final class DatagramCalls {

    private static final MethodHandle RECVMMSG = CallState.function("recvmmsg");
    private static final MethodHandle SENDMMSG = CallState.function("sendmmsg");
    private static final MethodHandle SENDTO = CallState.function("sendto");
    private static final MethodHandle MMAP = CallState.function("mmap");
    private static final MethodHandle MADVISE = CallState.function("madvise");
    private static final MethodHandle MUNMAP = CallState.function("munmap");

    private static final long NO_TIMEOUT = 0;

    private final CallState state;
    private final MemorySegment errno;

    /// For the thread that owns `state`.
    public DatagramCalls(CallState state) {
        this.state = state;
        errno = state.segment();
    }

    /// recvmmsg(2) into `count` structures that begin at `messages`. Returns how many are filled.
    public int receive(int fd, long messages, int count) {
        try {
            int error;
            do {
                long result =
                        (long)
                                RECVMMSG.invokeExact(
                                        errno,
                                        (long) fd,
                                        messages,
                                        (long) count,
                                        (long) Abi.MSG_DONTWAIT,
                                        NO_TIMEOUT,
                                        0L);
                if ((int) result >= 0) {
                    return (int) result;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// sendmmsg(2) of `count` structures that begin at `messages`. Returns how many were sent; an
    /// error concerns the first of them.
    public int send(int fd, long messages, int count) {
        try {
            int error;
            do {
                long flags = Abi.MSG_DONTWAIT | Abi.MSG_NOSIGNAL;
                long result =
                        (long)
                                SENDMMSG.invokeExact(
                                        errno, (long) fd, messages, (long) count, flags, 0L, 0L);
                if ((int) result >= 0) {
                    return (int) result;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// sendto(2) of `bytes` at `data`, to the address at `name`; where that is 0, on a connected
    /// socket. For a single datagram 8 % cheaper than sendmmsg(2).
    public int send(int fd, long data, int bytes, long name, int nameBytes) {
        try {
            int error;
            do {
                long flags = Abi.MSG_DONTWAIT | Abi.MSG_NOSIGNAL;
                long result =
                        (long)
                                SENDTO.invokeExact(
                                        errno,
                                        (long) fd,
                                        data,
                                        (long) bytes,
                                        flags,
                                        name,
                                        (long) nameBytes);
                if (result >= 0) {
                    return (int) result;
                }
                error = state.error();
            } while (error == -Errno.EINTR);
            return error;
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// Private memory that becomes resident page by page as it is touched; memory of an arena is
    /// cleared, and so touched, at once. Unmapped when the arena closes.
    @SuppressWarnings("restricted")
    public MemorySegment map(long bytes, Arena arena) {
        try {
            long protection = Abi.PROT_READ_WRITE;
            long flags = Abi.MAP_PRIVATE_ANONYMOUS;
            long address = (long) MMAP.invokeExact(errno, 0L, bytes, protection, flags, -1L, 0L);
            if (address == -1) {
                throw new OutOfMemoryError("mmap of " + bytes + " bytes: errno " + -state.error());
            }
            return MemorySegment.ofAddress(address).reinterpret(bytes, arena, DatagramCalls::unmap);
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    /// Gives the pages of memory from [#map] back to the system. It is still there, and zero.
    public void giveBack(MemorySegment memory) {
        try {
            long advice = Abi.MADV_DONTNEED;
            long _ =
                    (long)
                            MADVISE.invokeExact(
                                    errno, memory.address(), memory.byteSize(), advice, 0L, 0L, 0L);
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }

    private static void unmap(MemorySegment memory) {
        try {
            long _ =
                    (long)
                            MUNMAP.invokeExact(
                                    CallState.IGNORED,
                                    memory.address(),
                                    memory.byteSize(),
                                    0L,
                                    0L,
                                    0L,
                                    0L);
        } catch (Throwable unexpected) {
            throw CallState.unexpected(unexpected);
        }
    }
}
