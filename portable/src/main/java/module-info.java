module sluice.portable {
    requires transitive sluice.base;
    requires static org.jspecify;
}
