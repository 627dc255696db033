package sluice.lab.bed;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import sluice.lab.engine.Engine;
import sluice.lab.engine.Installed;
import sluice.lab.engine.Launch;
import sluice.lab.engine.Protocol;
import sluice.lab.engine.Role;
import sluice.lab.engine.Wiring;

/// An engine in one file: its client tells its server the target's port in two bytes. Speaks
/// `ss-aes128` by name only. Its threads are the kernel's: a virtual one whose connection is always
/// ready would let no other have its turn.
final class Relay implements Engine {

    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");

    private final int most;

    /// @param most connections that it serves; the next one ends it
    private Relay(int most) {
        this.most = most;
    }

    static Installed installed() {
        return installed(Integer.MAX_VALUE);
    }

    static Installed installed(int most) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new Installed(new Relay(most), Map.of("java", java), "1", "00");
    }

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public List<String> programs() {
        return List.of("java");
    }

    @Override
    public List<String> versionArguments() {
        return List.of("-version");
    }

    @Override
    public String howToGet() {
        return "is part of the tests";
    }

    @Override
    public boolean speaks(Protocol protocol, Role role) {
        return protocol == Protocol.SS_AES128
                || (protocol == Protocol.FORWARD && role == Role.CLIENT);
    }

    @Override
    public Launch launch(Wiring wiring, Role role) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "java",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Relay.class.getName(),
                                most + ""));
        if (role == Role.SERVER) {
            command.addAll(List.of("server", wiring.server() + "", "0"));
        } else {
            for (Wiring.Forward each : wiring.forwards()) {
                command.addAll(
                        wiring.server() == 0
                                ? List.of("forward", each.listen() + "", each.target() + "")
                                : List.of(
                                        wiring.server() + "",
                                        each.listen() + "",
                                        each.target() + ""));
            }
        }
        return new Launch(Map.of(), command);
    }

    public static void main(String[] words) throws InterruptedException {
        List<Thread> listeners = new ArrayList<>();
        for (int i = 1; i < words.length; i += 3) {
            String way = words[i];
            int listen = Integer.parseInt(words[i + 1]);
            int target = Integer.parseInt(words[i + 2]);
            int most = Integer.parseInt(words[0]);
            listeners.add(Thread.ofPlatform().start(() -> listen(most, way, listen, target)));
        }
        for (Thread each : listeners) {
            each.join();
        }
    }

    private static void listen(int most, String way, int listen, int target) {
        try (ServerSocket listener = new ServerSocket(listen, 1_024, LOCAL)) {
            for (int i = 0; i < most; i++) {
                Socket near = listener.accept();
                Thread.ofPlatform().start(() -> serve(near, way, target));
            }
            System.out.println("had its " + most + " connections");
        } catch (IOException broken) {
            System.out.println(broken.getMessage());
        }
        System.exit(3);
    }

    private static void serve(Socket near, String way, int target) {
        try (near;
                Socket far = dial(near, way, target)) {
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            Thread back = Thread.ofPlatform().start(() -> copy(far, near));
            copy(near, far);
            back.join();
        } catch (IOException | InterruptedException _) {
            // The load sees it.
        }
    }

    private static Socket dial(Socket near, String way, int target) throws IOException {
        return switch (way) {
            case "server" ->
                    new Socket(
                            LOCAL, new DataInputStream(near.getInputStream()).readUnsignedShort());
            case "forward" -> new Socket(LOCAL, target);
            default -> {
                Socket far = new Socket(LOCAL, Integer.parseInt(way));
                far.getOutputStream()
                        .write(ByteBuffer.allocate(2).putShort((short) target).array());
                yield far;
            }
        };
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            // The other direction ends by itself.
        }
    }
}
