module sluice.secure {
    requires transitive sluice.base;
    requires org.apache.commons.codec;
    requires static org.jspecify;

    exports sluice.secure.crypto;
}
