package sluice.lab.engine;

import java.util.Arrays;
import java.util.Optional;

/// What is spoken between a client engine and a server engine. A new one is one line here and one
/// in each adapter that has it.
public enum Protocol {
    /// No protocol: a forwarded port, one engine.
    FORWARD("forward", "Forward"),
    SOCKS("socks", "SOCKS5"),
    SOCKS_TLS("socks-tls", "SOCKS5 + TLS"),
    SOCKS_UNIX("socks-unix", "SOCKS5 over a Unix socket"),
    HTTP("http", "HTTP CONNECT"),
    SS_NONE("ss-none", "Shadowsocks none"),
    SS_NONE_TLS("ss-none-tls", "Shadowsocks none + TLS"),
    SS_AES128("ss-aes128", "Shadowsocks aes-128-gcm"),
    SS_CHACHA("ss-chacha", "Shadowsocks chacha20-poly1305"),
    SS22_AES128("ss22-aes128", "Shadowsocks 2022 aes-128-gcm"),
    SS22_AES256("ss22-aes256", "Shadowsocks 2022 aes-256-gcm"),
    SS22_CHACHA("ss22-chacha", "Shadowsocks 2022 chacha20-poly1305"),
    VMESS_NONE("vmess-none", "VMess none"),
    VMESS_ZERO("vmess-zero", "VMess zero"),
    VMESS_AES128("vmess-aes128", "VMess aes-128-gcm"),
    VMESS_CHACHA("vmess-chacha", "VMess chacha20-poly1305"),
    VMESS_NONE_TLS("vmess-none-tls", "VMess none + TLS"),
    VMESS_WS_TLS("vmess-ws-tls", "VMess + WebSocket + TLS"),
    VMESS_H2_TLS("vmess-h2-tls", "VMess + HTTP/2 + TLS"),
    VLESS("vless", "VLESS"),
    VLESS_TLS("vless-tls", "VLESS + TLS"),
    VLESS_XTLS_DIRECT("vless-xtls-direct", "VLESS xtls-rprx-direct"),
    VLESS_XTLS_ORIGIN("vless-xtls-origin", "VLESS xtls-rprx-origin"),
    TROJAN_PLAIN("trojan-plain", "Trojan without TLS"),
    TROJAN("trojan", "Trojan + TLS"),
    ANYTLS("anytls", "AnyTLS"),
    HYSTERIA2("hysteria2", "Hysteria 2"),
    TUIC("tuic", "TUIC");

    private final String id;
    private final String title;

    Protocol(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /// The name in logs and on the command line.
    public String id() {
        return id;
    }

    /// The name for readers.
    public String title() {
        return title;
    }

    /// Whether the server listens on UDP, so that no TCP port shows that it is ready.
    public boolean overDatagrams() {
        return this == HYSTERIA2 || this == TUIC;
    }

    /// The protocol with an id.
    public static Optional<Protocol> of(String id) {
        return Arrays.stream(values()).filter(each -> each.id.equals(id)).findFirst();
    }
}
