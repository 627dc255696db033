/// Shadowsocks: AEAD (SIP004), the 2022 edition (SIP022) with identity headers (SIP023), and
/// `none`; streams and datagrams, both sides, and the relay of identity headers.
///
/// Left out: the stream ciphers of old (no integrity), zero-length chunks as a sender, a replay
/// filter for clients. Plugins (SIP003) are processes and belong to whoever starts them. Begin
/// reading at [sluice.protocol.shadowsocks.Shadowsocks], then
/// [sluice.protocol.shadowsocks.SealedStream].
@NullMarked
package sluice.protocol.shadowsocks;

import org.jspecify.annotations.NullMarked;
