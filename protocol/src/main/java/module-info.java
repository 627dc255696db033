/// Proxy protocols without I/O. Only the catalog and what it speaks are visible: nobody can reach
/// into a protocol.
module sluice.protocol {
    requires transitive sluice.base;
    requires transitive sluice.secure;
    requires static org.jspecify;

    exports sluice.protocol;
    exports sluice.protocol.spi;
}
