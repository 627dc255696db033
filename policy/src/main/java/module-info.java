module sluice.policy {
    requires transitive sluice.base;
    requires static org.jspecify;
}
