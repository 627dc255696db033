module sluice.engine {
    requires transitive sluice.base;
    requires transitive sluice.protocol;
    requires sluice.secure;
    requires sluice.policy;
    requires static org.jspecify;
}
