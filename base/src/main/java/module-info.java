module sluice.base {
    requires static org.jspecify;
}
