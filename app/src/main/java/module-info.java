module sluice.app {
    exports sluice.app;

    requires sluice.base;
    requires sluice.secure;
    requires sluice.protocol;
    requires sluice.policy;
    requires sluice.linux;
    requires sluice.portable;
    requires sluice.engine;
    requires static org.jspecify;
}
