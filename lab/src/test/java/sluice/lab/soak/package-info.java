/// Long runs: whether anything is left behind. Short here; `-Dsoak.connections=50000` and
/// `-Dsoak.garbage=100000` make them long.
package sluice.lab.soak;
