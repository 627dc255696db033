package sluice.lab.engine;

import java.util.List;
import java.util.Map;

/// shadowsocks-libev: `ss-tunnel` and `ss-server`.
final class ShadowsocksLibev implements Engine {

    private static final String HOST = "127.0.0.1";

    @Override
    public String name() {
        return "shadowsocks-libev";
    }

    @Override
    public List<String> programs() {
        return List.of("ss-server", "ss-tunnel");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("-h");
    }

    @Override
    public String howToGet() {
        return "apt install shadowsocks-libev";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return protocol == Protocol.SS_AES128 || protocol == Protocol.SS_CHACHA;
    }

    /// One process has one tunnel.
    @Override
    public int mostForwards() {
        return 1;
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        String method = Shadowsocks.method(wiring.protocol());
        String server = Integer.toString(wiring.server());
        if (role == Role.SERVER) {
            return new Launch(
                    Map.of(),
                    List.of(
                            "ss-server",
                            "-s",
                            HOST,
                            "-p",
                            server,
                            "-k",
                            Wiring.PASSWORD,
                            "-m",
                            method));
        }
        Wiring.Forward forward = wiring.forwards().getFirst();
        return new Launch(
                Map.of(),
                List.of(
                        "ss-tunnel",
                        "-s",
                        HOST,
                        "-p",
                        server,
                        "-b",
                        HOST,
                        "-l",
                        Integer.toString(forward.listen()),
                        "-L",
                        HOST + ":" + forward.target(),
                        "-k",
                        Wiring.PASSWORD,
                        "-m",
                        method));
    }
}
