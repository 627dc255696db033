/// Cryptography, certificates, TLS and QUIC, without I/O.
@NullMarked
package sluice.secure;

import org.jspecify.annotations.NullMarked;
