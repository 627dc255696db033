/// The product against foreign programs, in both roles. A program that is missing skips its tests;
/// with `SLUICE_REQUIRE_PEERS=1` it fails them.
package sluice.lab.interop;
