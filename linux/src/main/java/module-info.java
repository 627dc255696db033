module sluice.linux {
    requires transitive sluice.base;
    requires static org.jspecify;

    exports sluice.linux;
}
