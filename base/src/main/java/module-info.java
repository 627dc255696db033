module sluice.base {
    requires static transitive org.jspecify;

    exports sluice.base.buf;
    exports sluice.base.config;
    exports sluice.base.fault;
    exports sluice.base.machine;
    exports sluice.base.net;
    exports sluice.base.os;
    exports sluice.base.random;
    exports sluice.base.time;
}
