/// Destinations as protocols write them: a type octet, an address or name, a port. Start at
/// [sluice.protocol.address.AddressForm].
@NullMarked
package sluice.protocol.address;

import org.jspecify.annotations.NullMarked;
