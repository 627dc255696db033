package sluice.lab.engine;

import java.util.List;

/// All engines that the lab can start, in the order of the report. A new one is a new file and a
/// line here.
public final class Engines {

    private Engines() {}

    /// Sluice first.
    public static List<Engine> all() {
        return List.of(
                new Sluice(),
                new SingBox(),
                new Xray(),
                new V2ray(),
                new Mihomo(),
                new ShadowsocksRust(),
                new ShadowsocksLibev(),
                new Hysteria(),
                new Shoes(),
                new Haproxy());
    }
}
