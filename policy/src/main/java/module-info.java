module sluice.policy {
    requires transitive sluice.base;
    requires static org.jspecify;

    exports sluice.policy.dns;
    exports sluice.policy.limit;
    exports sluice.policy.match;
    exports sluice.policy.route;
}
