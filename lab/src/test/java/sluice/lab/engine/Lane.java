package sluice.lab.engine;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.os.Errno;
import sluice.base.os.LoopDriver;

/// A way from [#connect] to one target through an engine, in one of the ways in which bytes can be
/// moved.
final class Lane implements AutoCloseable {

    private static final String USER = "alice";

    /// How bytes are moved.
    enum Mode {
        /// No layer on either leg, pipes where the system has them.
        SPLICE,
        /// No layer on either leg and no pipes.
        COPY,
        /// A layer on the client's leg that changes nothing.
        LAYERED,
        /// A layer on the target's leg, and a proxy that undoes it.
        XOR,
        /// Two layers on the target's leg, for two proxies one behind the other.
        CHAIN
    }

    private final List<Rig> rigs = new ArrayList<>();
    private final Rig rig;

    private Lane(Rig rig) {
        this.rig = rig;
    }

    /// A lane to `target`, its engines started.
    static Lane open(Driver driver, Mode mode, Destination target) {
        return open(driver, mode, target, _ -> {});
    }

    /// A lane whose engines all end what is half-closed, or gone on one side, after `silence`.
    static Lane impatient(Driver driver, Mode mode, Destination target, Duration silence) {
        return open(
                driver,
                mode,
                target,
                rig -> rig.halfClosed(silence),
                rig -> rig.halfClosed(silence));
    }

    /// @param told what the rig next to the client is told before it starts
    static Lane open(Driver driver, Mode mode, Destination target, Consumer<Rig> told) {
        return open(driver, mode, target, told, _ -> {});
    }

    private static Lane open(
            Driver driver,
            Mode mode,
            Destination target,
            Consumer<Rig> told,
            Consumer<Rig> proxiesTold) {
        List<Rig> servers = new ArrayList<>();
        int proxies = mode == Mode.XOR ? 1 : mode == Mode.CHAIN ? 2 : 0;
        for (int i = 0; i < proxies; i++) {
            Rig proxy =
                    Rig.on(driver)
                            .inbound("xor", new Xor.In(Set.of(USER)))
                            .outbound(Ways.direct("direct"));
            proxiesTold.accept(proxy);
            servers.add(proxy.start());
        }
        Rig rig = Rig.on(driver);
        Forward forward = Forward.to(target);
        rig.inbound("in", mode == Mode.LAYERED ? forward.staying() : forward);
        for (int i = proxies; i > 0; i--) {
            Xor.Out way = new Xor.Out(Destination.of(servers.get(i - 1).at("xor")), USER);
            rig.outbound(Ways.through("hop" + i, way, i > 1 ? "hop" + (i - 1) : null));
        }
        if (proxies == 0) {
            rig.outbound(Ways.direct("direct"));
        }
        if (mode == Mode.COPY) {
            rig.shell(NoPipes::new);
        }
        told.accept(rig);
        Lane lane = new Lane(rig.start());
        lane.rigs.add(rig);
        lane.rigs.addAll(servers.reversed());
        return lane;
    }

    /// Every driver with every mode.
    static Stream<Arguments> all() {
        return Stream.of(Driver.values())
                .flatMap(
                        driver -> Stream.of(Mode.values()).map(mode -> Arguments.of(driver, mode)));
    }

    private static final class NoPipes extends DriverShell {

        NoPipes(LoopDriver inner) {
            super(inner);
        }

        @Override
        public boolean canSplice() {
            return false;
        }

        @Override
        public int takePipe() {
            return -Errno.EOPNOTSUPP;
        }
    }

    /// The rig next to the client.
    Rig rig() {
        return rig;
    }

    Endpoint at() {
        return rig.at("in");
    }

    Socket connect() throws IOException {
        return rig.connect("in");
    }

    @Override
    public void close() {
        rigs.forEach(Rig::close);
    }
}
