/// Direct: an inbound that forwards a port without any protocol, and an outbound that dials the
/// target itself.
@NullMarked
package sluice.protocol.direct;

import org.jspecify.annotations.NullMarked;
