package sluice.lab.run;

import java.util.List;

/// Runs v2ray with one inbound and one outbound.
public final class V2ray {
    /// A way out without a proxy.
    public static final String FREEDOM = "{'protocol': 'freedom'}";

    private V2ray() {}

    /// Starts it and waits for the port, as TCP and, where the inbound has it, as UDP.
    public static Peer start(int port, boolean udp, String inbound, String outbound) {
        String config =
                "{'log': {'loglevel': 'warning'}, 'inbounds': ["
                        + inbound.formatted(port)
                        + "], 'outbounds': ["
                        + outbound
                        + "]}";
        return Peer.startWith(
                "v2ray", config, List.of(port), udp ? List.of(port) : List.of(), "-config");
    }

    /// A port that sends streams and datagrams to one target of loopback; the port is filled in.
    public static String forward(int targetPort) {
        return "{'listen': '127.0.0.1', 'port': %d, 'protocol': 'dokodemo-door', 'settings': {'address':"
                + " '127.0.0.1', 'port': "
                + targetPort
                + ", 'network': 'tcp,udp'}}";
    }

    /// An inbound; the port is filled in.
    public static String inbound(String protocol, String settings) {
        return "{'listen': '127.0.0.1', 'port': %d, 'protocol': '"
                + protocol
                + "', 'settings': {"
                + settings
                + "}}";
    }

    /// An outbound to a server of loopback.
    ///
    /// @param members more members of the server's object, with a comma ahead, or empty
    public static String outbound(String protocol, int serverPort, String members) {
        return "{'protocol': '"
                + protocol
                + "', 'settings': {'servers': [{'address': '127.0.0.1', 'port': "
                + serverPort
                + members
                + "}]}}";
    }
}
