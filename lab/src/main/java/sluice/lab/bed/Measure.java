package sluice.lab.bed;

/// One figure that a bed yields.
///
/// @param name in logs: `throughput`, `cpu`, `memory` …
/// @param unit for readers: `Mbit/s`, `s/GiB`, `MiB` …
/// @param higherIsBetter whether more of it is better
public record Measure(String name, String unit, boolean higherIsBetter) {}
