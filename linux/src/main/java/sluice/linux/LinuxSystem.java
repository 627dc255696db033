package sluice.linux;

import java.util.Map;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;
import sluice.linux.ffi.LimitCalls;
import sluice.linux.ffi.SignalCalls;

/// Linux on x86-64 and arm64, through its C library: epoll, splice, segmentation offload.
public final class LinuxSystem implements OperatingSystem {

    /// Binds nothing yet; functions are bound when they are first needed.
    public LinuxSystem() {}

    @Override
    public String name() {
        return "linux";
    }

    @Override
    public LoopDriver openLoop() {
        return new LinuxLoopDriver();
    }

    @Override
    public Map<String, String> features() {
        return Features.probe();
    }

    @Override
    public long raiseFileLimit() {
        return LimitCalls.raiseOpenFiles();
    }

    @Override
    public boolean heedHangup() {
        return SignalCalls.heedHangup();
    }
}
