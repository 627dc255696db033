/// Compiled sets that a rule asks about a name, an address or a port. Built once, then read by
/// every loop at the same time; asking allocates nothing.
@NullMarked
package sluice.policy.match;

import org.jspecify.annotations.NullMarked;
