package sluice.lab.engine;

import java.util.List;

/// The ports and credentials of one chain on 127.0.0.1: what an adapter needs to write a
/// configuration. All adapters get the same.
///
/// @param protocol what client and server speak
/// @param forwards the client's ports; each leads to a target behind the server
/// @param server the server's port, or 0 for [Protocol#FORWARD]
/// @param certificate path of a PEM certificate for the name `lab.test`; the client trusts it
/// @param key path of its private key in PEM
public record Wiring(
        Protocol protocol, List<Forward> forwards, int server, String certificate, String key) {

    /// The name in the certificate.
    public static final String SERVER_NAME = "lab.test";

    /// User id of VMess, VLESS and TUIC. Worth nothing outside of loopback.
    public static final String UUID = "b831381d-6324-4d53-ad4f-8cda48b30811";

    /// Password of everything that takes any text.
    public static final String PASSWORD = "measured-on-loopback";

    /// Key of the 2022 methods with 16 bytes.
    public static final String KEY_16 = "MDEyMzQ1Njc4OWFiY2RlZg==";

    /// Key of the 2022 methods with 32 bytes.
    public static final String KEY_32 = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    /// A port of the client, and where it leads.
    ///
    /// @param listen a port on 127.0.0.1
    /// @param target a port on 127.0.0.1
    public record Forward(int listen, int target) {}

    /// Path of the socket of [Protocol#SOCKS_UNIX]: beside the certificate, the one folder that
    /// both ends know.
    public String socket() {
        return certificate + "-" + server + ".sock";
    }

    public Wiring {
        forwards = List.copyOf(forwards);
    }
}
