/// SOCKS 4, 4a and 5: the accepting side with TCP and UDP ASSOCIATE, the dialling side of all
/// three, and UDP over TCP as a choice of the latter. BIND and GSSAPI are left out. Start at
/// [sluice.protocol.socks.Socks].
///
/// Specifications: RFC 1928, RFC 1929, the SOCKS 4 protocol note and the SOCKS 4A extension note.
@NullMarked
package sluice.protocol.socks;

import org.jspecify.annotations.NullMarked;
