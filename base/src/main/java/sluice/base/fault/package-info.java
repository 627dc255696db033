/// Faults sorted by whose doing they are: the operator's, a peer's, the system's.
@NullMarked
package sluice.base.fault;

import org.jspecify.annotations.NullMarked;
