module sluice.protocol {
    requires transitive sluice.base;
    requires sluice.secure;
    requires static org.jspecify;
}
