package sluice.linux.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.Errno;
import sluice.linux.ffi.ControlMessage;
import sluice.linux.ffi.DatagramCalls;
import sluice.linux.ffi.MessageArray;
import sluice.linux.ffi.SocketAddress;

/// Queues datagrams of one socket and sends them together. Neighbours of equal length to the same
/// peer become one run, which the kernel cuts up again (UDP_SEGMENT); only the last of a run may be
/// shorter. Owned by one loop thread.
///
/// Alone a datagram of 1,200 bytes costs 1.26 µs to send on loopback, in a run of 40 it costs 0.10
/// (lab.micro, DatagramCost).
///
/// A datagram that the socket does not take is lost and counted: waiting would delay all others.
final class DatagramSender {

    /// Runs per call.
    private static final int RUNS_MAX = 64;

    /// Two full runs; resident as far as it was ever filled.
    private static final int SLAB_BYTES = 1 << 17;

    /// What kernels before 6.9 cut a run into at most.
    private static final int SEGMENTS_MAX = 64;

    /// A run is one packet for the kernel: 65,535 bytes less an IPv6 and a UDP header.
    private static final int RUN_BYTES_MAX = 65_535 - 40 - 8;

    /// What the length field of the UDP header allows; the kernel says no to somewhat less than
    /// that.
    private static final int DATAGRAM_BYTES_MAX = 65_535 - 8;

    /// How often errors that routers sent for earlier datagrams of a connected socket may stand in
    /// the way.
    private static final int TRIES_MAX = 4;

    private static final int NO_SOCKET = -1;

    private final DatagramCalls calls;
    private final MessageArray messages;
    private final MemorySegment slab;

    private int socket = NO_SOCKET;
    private int runs;
    private int filledBytes;
    private final int[] starts = new int[RUNS_MAX];
    private final int[] bytes = new int[RUNS_MAX];
    private final int[] segments = new int[RUNS_MAX];
    private final int[] segmentBytes = new int[RUNS_MAX];
    private final int[] nameBytes = new int[RUNS_MAX];

    // The run that may still grow is the last one.
    private boolean growing;
    private @Nullable Endpoint lastTo;
    private @Nullable IpAddress lastFrom;

    /// By descriptor: the largest segment that a device refused, or 0. Null until a device refuses
    /// one.
    private int @Nullable [] refusedSegments;

    private boolean isSlabTouched;
    private long lost;

    /// @param arena lives as long as the loop
    DatagramSender(DatagramCalls calls, Arena arena) {
        this.calls = calls;
        messages = new MessageArray(RUNS_MAX, arena);
        slab = calls.map(SLAB_BYTES, arena);
    }

    /// Datagrams lost so far.
    long lost() {
        return lost;
    }

    /// Queues a copy of a datagram.
    ///
    /// @param to target, or null on a connected socket
    /// @param from local address to send from, or null
    void queue(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length) {
        boolean v6 = SocketNumber.isV6(socket);
        if (length > DATAGRAM_BYTES_MAX || to != null && !v6 && !to.address().isV4()) {
            lost++;
            return;
        }
        if (socket != this.socket || filledBytes + length > SLAB_BYTES) {
            flush();
            this.socket = socket;
        }
        if (!joins(to, from, length)) {
            if (runs == RUNS_MAX) {
                flush();
            }
            begin(to, from, length, v6);
        }
        int run = runs - 1;
        MemorySegment.copy(array, offset, slab, JAVA_BYTE, filledBytes, length);
        filledBytes += length;
        bytes[run] += length;
        segments[run]++;
        growing &= length == segmentBytes[run];
    }

    /// Sends what is queued.
    void flush() {
        if (runs == 0) {
            return;
        }
        int fd = SocketNumber.fd(socket);
        if (runs == 1 && segments[0] == 1 && lastFrom == null) {
            sendOne(fd, 0, starts[0], bytes[0]);
        } else {
            sendAll(fd);
        }
        runs = 0;
        isSlabTouched = true;
        filledBytes = 0;
        growing = false;
        lastTo = null;
        lastFrom = null;
    }

    /// The descriptor is about to be closed: what is queued for it is sent, and its number means
    /// nothing anymore.
    void forget(int socket) {
        if (socket == this.socket) {
            flush();
            this.socket = NO_SOCKET;
        }
        int fd = SocketNumber.fd(socket);
        if (refusedSegments != null && fd < refusedSegments.length) {
            refusedSegments[fd] = 0;
        }
    }

    /// Gives the memory of past queues back, unless there is a queue.
    void giveBack() {
        if (runs == 0 && isSlabTouched) {
            calls.giveBack(slab);
            isSlabTouched = false;
        }
    }

    private boolean joins(@Nullable Endpoint to, @Nullable IpAddress from, int length) {
        int run = runs - 1;
        return growing
                && length <= segmentBytes[run]
                && length > 0
                && segments[run] < SEGMENTS_MAX
                && bytes[run] + length <= RUN_BYTES_MAX
                && (to == lastTo || to != null && to.equals(lastTo))
                && (from == lastFrom || from != null && from.equals(lastFrom));
    }

    private void begin(@Nullable Endpoint to, @Nullable IpAddress from, int length, boolean v6) {
        int run = runs++;
        starts[run] = filledBytes;
        bytes[run] = 0;
        segments[run] = 0;
        segmentBytes[run] = length;
        growing = length > 0 && !isRefused(SocketNumber.fd(socket), length);
        lastTo = to;
        lastFrom = from;
        int written =
                to == null
                        ? 0
                        : SocketAddress.write(messages.names(), messages.nameOffset(run), to, v6);
        nameBytes[run] = written;
        messages.nameLength(run, written);
        int control =
                from == null
                        ? 0
                        : ControlMessage.putSource(
                                messages.controls(), messages.controlOffset(run), from, v6);
        messages.controlLength(run, control);
    }

    private void sendAll(int fd) {
        for (int run = 0; run < runs; run++) {
            messages.bytes(run, slab.address() + starts[run], bytes[run]);
            if (segments[run] > 1) {
                int used = messages.controlLength(run);
                long at = messages.controlOffset(run) + used;
                int segment = ControlMessage.putSegment(messages.controls(), at, segmentBytes[run]);
                messages.controlLength(run, used + segment);
            }
        }
        int next = 0;
        int tries = 0;
        while (next < runs) {
            int sent = calls.send(fd, messages.address(next), runs - next);
            if (sent > 0) {
                next += sent;
                tries = 0;
            } else if (sent == -Errno.EAGAIN) {
                lose(next, runs);
                return;
            } else if (++tries == TRIES_MAX || !isFromAfar(sent, next)) {
                giveUp(fd, next++, sent);
                tries = 0;
            }
        }
    }

    private void giveUp(int fd, int run, int error) {
        boolean refusesToCut =
                error == -Errno.EIO || error == -Errno.EINVAL || error == -Errno.EMSGSIZE;
        if (segments[run] == 1 || !refusesToCut) {
            lose(run, run + 1);
        } else if (sendSingly(fd, run) > 0) {
            refuse(fd, error == -Errno.EIO ? 1 : segmentBytes[run]);
        }
    }

    /// Sends the datagrams of a run one by one. Returns how many were taken.
    private int sendSingly(int fd, int run) {
        long lostBefore = lost;
        int end = starts[run] + bytes[run];
        int control = messages.controlLength(run) - ControlMessage.SEGMENT_BYTES;
        messages.controlLength(run, control);
        for (int at = starts[run]; at < end; at += segmentBytes[run]) {
            int length = Math.min(segmentBytes[run], end - at);
            if (control == 0) {
                sendOne(fd, run, at, length);
            } else {
                messages.bytes(run, slab.address() + at, length);
                lost += calls.send(fd, messages.address(run), 1) == 1 ? 0 : 1;
            }
        }
        return segments[run] - (int) (lost - lostBefore);
    }

    private void sendOne(int fd, int run, int start, int length) {
        int known = nameBytes[run];
        long name = known == 0 ? 0 : messages.names().address() + messages.nameOffset(run);
        for (int i = 0; i < TRIES_MAX; i++) {
            int sent = calls.send(fd, slab.address() + start, length, name, known);
            if (sent >= 0) {
                return;
            }
            if (!isFromAfar(sent, run)) {
                break;
            }
        }
        lost++;
    }

    private void lose(int fromRun, int toRun) {
        for (int run = fromRun; run < toRun; run++) {
            lost += segments[run];
        }
    }

    /// Whether runs of such segments have failed on that descriptor.
    boolean isRefused(int fd, int segment) {
        int[] refused = refusedSegments;
        if (refused == null || fd >= refused.length || refused[fd] == 0) {
            return false;
        }
        return segment >= refused[fd];
    }

    private void refuse(int fd, int segment) {
        int[] refused = refusedSegments;
        if (refused == null || fd >= refused.length) {
            refused =
                    refused == null
                            ? new int[fd + 1]
                            : Arrays.copyOf(refused, Math.max(fd + 1, 2 * refused.length));
            refusedSegments = refused;
        }
        refused[fd] = refused[fd] == 0 ? segment : Math.min(refused[fd], segment);
    }

    /// Whether the error is about an earlier datagram of a connected socket, reported once.
    private boolean isFromAfar(int error, int run) {
        return nameBytes[run] == 0
                && (error == -Errno.ECONNREFUSED
                        || error == -Errno.EHOSTUNREACH
                        || error == -Errno.ENETUNREACH
                        || error == -Errno.ENOPROTOOPT);
    }
}
