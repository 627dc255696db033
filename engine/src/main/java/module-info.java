/// Loops, legs, flows: where machines meet the operating system. It knows no protocol by name.
module sluice.engine {
    requires transitive sluice.base;
    requires transitive sluice.protocol;
    requires transitive sluice.policy;
    requires sluice.secure;
    requires static org.jspecify;

    exports sluice.engine;
    exports sluice.engine.dial;
    exports sluice.engine.loop;
    exports sluice.engine.plan;
}
