module sluice.portable {
    requires transitive sluice.base;
    // TCP_KEEPIDLE and IP_DONTFRAGMENT, where the system has them.
    requires jdk.net;
    requires static org.jspecify;

    exports sluice.portable;
}
