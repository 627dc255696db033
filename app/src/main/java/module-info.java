/// The program: nothing here is for others to use.
module sluice.app {
    requires sluice.base;
    requires sluice.secure;
    requires sluice.protocol;
    requires sluice.policy;
    requires sluice.linux;
    requires sluice.portable;
    requires sluice.engine;
    requires org.snakeyaml.engine;
    // Signals: the JDK has no other way to hear of them.
    requires jdk.unsupported;
    requires static org.jspecify;
}
