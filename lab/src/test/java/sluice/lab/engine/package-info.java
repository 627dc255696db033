/// The engine as a whole, over both drivers, between plain sockets: relaying, closing,
/// back-pressure, dialling, limits, reload, datagrams, failures. Start at [sluice.lab.engine.Rig].
package sluice.lab.engine;
