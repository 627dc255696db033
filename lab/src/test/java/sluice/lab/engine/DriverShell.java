package sluice.lab.engine;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import sluice.base.net.Endpoint;
import sluice.base.net.IpAddress;
import sluice.base.os.DialOptions;
import sluice.base.os.ListenOptions;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

/// A driver around another one; tests override what shall be different.
class DriverShell implements LoopDriver {

    private final LoopDriver inner;

    DriverShell(LoopDriver inner) {
        this.inner = inner;
    }

    /// The system with each of its drivers put into a shell.
    static OperatingSystem around(OperatingSystem system, UnaryOperator<LoopDriver> shell) {
        return new OperatingSystem() {
            @Override
            public String name() {
                return system.name();
            }

            @Override
            public LoopDriver openLoop() {
                return shell.apply(system.openLoop());
            }

            @Override
            public Map<String, String> features() {
                return system.features();
            }

            @Override
            public long raiseFileLimit() {
                return system.raiseFileLimit();
            }
        };
    }

    @Override
    public int await(long timeoutNanos) {
        return inner.await(timeoutNanos);
    }

    @Override
    public long token(int index) {
        return inner.token(index);
    }

    @Override
    public int readiness(int index) {
        return inner.readiness(index);
    }

    @Override
    public void wake() {
        inner.wake();
    }

    @Override
    public int watch(int socket, long token) {
        return inner.watch(socket, token);
    }

    @Override
    public int unwatch(int socket) {
        return inner.unwatch(socket);
    }

    @Override
    public int listen(Endpoint at, ListenOptions options) {
        return inner.listen(at, options);
    }

    @Override
    public int accept(int listener) {
        return inner.accept(listener);
    }

    @Override
    public Endpoint acceptedPeer() {
        return inner.acceptedPeer();
    }

    @Override
    public int connect(Endpoint to, DialOptions options) {
        return inner.connect(to, options);
    }

    @Override
    public int takeError(int socket) {
        return inner.takeError(socket);
    }

    @Override
    public @Nullable Endpoint localOf(int socket) {
        return inner.localOf(socket);
    }

    @Override
    public int receive(int socket, byte[] into, int offset, int length) {
        return inner.receive(socket, into, offset, length);
    }

    @Override
    public int send(int socket, byte[] from, int offset, int length, boolean more) {
        return inner.send(socket, from, offset, length, more);
    }

    @Override
    public int shutdownOutput(int socket) {
        return inner.shutdownOutput(socket);
    }

    @Override
    public void close(int socket) {
        inner.close(socket);
    }

    @Override
    public void reset(int socket) {
        inner.reset(socket);
    }

    @Override
    public boolean canSplice() {
        return inner.canSplice();
    }

    @Override
    public int takePipe() {
        return inner.takePipe();
    }

    @Override
    public void givePipe(int pipe) {
        inner.givePipe(pipe);
    }

    @Override
    public void dropPipe(int pipe) {
        inner.dropPipe(pipe);
    }

    @Override
    public long spliceIn(int socket, int pipe, long maxBytes) {
        return inner.spliceIn(socket, pipe, maxBytes);
    }

    @Override
    public long spliceOut(int pipe, int socket, long maxBytes, boolean more) {
        return inner.spliceOut(pipe, socket, maxBytes, more);
    }

    @Override
    public int bindDatagrams(Endpoint at, ListenOptions options) {
        return inner.bindDatagrams(at, options);
    }

    @Override
    public int openDatagrams(@Nullable Endpoint to, IpAddress family, DialOptions options) {
        return inner.openDatagrams(to, family, options);
    }

    @Override
    public int receiveDatagrams(int socket) {
        return inner.receiveDatagrams(socket);
    }

    @Override
    public int datagramLength(int index) {
        return inner.datagramLength(index);
    }

    @Override
    public Endpoint datagramPeer(int index) {
        return inner.datagramPeer(index);
    }

    @Override
    public @Nullable IpAddress datagramLocal(int index) {
        return inner.datagramLocal(index);
    }

    @Override
    public void copyDatagram(int index, byte[] into, int offset) {
        inner.copyDatagram(index, into, offset);
    }

    @Override
    public void queueDatagram(
            int socket,
            @Nullable Endpoint to,
            @Nullable IpAddress from,
            byte[] array,
            int offset,
            int length) {
        inner.queueDatagram(socket, to, from, array, offset, length);
    }

    @Override
    public void flushDatagrams() {
        inner.flushDatagrams();
    }

    @Override
    public long datagramsLost() {
        return inner.datagramsLost();
    }

    @Override
    public void close() {
        inner.close();
    }
}
