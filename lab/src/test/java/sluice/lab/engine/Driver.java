package sluice.lab.engine;

import java.util.function.Supplier;
import sluice.base.os.OperatingSystem;
import sluice.linux.LinuxSystem;
import sluice.portable.PortableSystem;

/// The systems an engine runs on.
enum Driver {
    LINUX(LinuxSystem::new),
    PORTABLE(PortableSystem::new);

    private final Supplier<OperatingSystem> maker;

    Driver(Supplier<OperatingSystem> maker) {
        this.maker = maker;
    }

    OperatingSystem system() {
        return maker.get();
    }
}
