/// AEADs, block ciphers, hashes and key derivation behind small classes; alone in knowing the JDK's
/// cryptography. Start with [sluice.secure.crypto.Ciphers].
///
/// What lives here knows no protocol: nonces, contexts and keys are parameters.
@NullMarked
package sluice.secure.crypto;

import org.jspecify.annotations.NullMarked;
