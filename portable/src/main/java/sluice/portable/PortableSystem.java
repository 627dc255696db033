package sluice.portable;

import java.util.LinkedHashMap;
import java.util.Map;
import sluice.base.os.LoopDriver;
import sluice.base.os.OperatingSystem;

/// Any system with a Java runtime.
public final class PortableSystem implements OperatingSystem {

    /// Opens nothing yet.
    public PortableSystem() {}

    @Override
    public String name() {
        return "portable";
    }

    @Override
    public LoopDriver openLoop() {
        return new PortableLoopDriver();
    }

    @Override
    public Map<String, String> features() {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("system", System.getProperty("os.name", "unknown"));
        found.put("machine", System.getProperty("os.arch", "unknown"));
        found.put("splice", "no");
        found.put("udp-gso", "no");
        found.put("udp-gro", "no");
        return found;
    }

    /// The Java runtime raises the limit by itself when it starts.
    @Override
    public long raiseFileLimit() {
        return -1;
    }
}
