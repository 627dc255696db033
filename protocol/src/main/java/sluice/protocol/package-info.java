/// Proxy protocols, one package each, without I/O.
@NullMarked
package sluice.protocol;

import org.jspecify.annotations.NullMarked;
