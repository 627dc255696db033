module sluice.secure {
    requires transitive sluice.base;
    requires static org.jspecify;
}
