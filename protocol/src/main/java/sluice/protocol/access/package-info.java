/// Who may use an inbound and how long the way in may take: users with names and passwords, shared
/// by the protocols that ask for both. Start at [sluice.protocol.access.Access].
@NullMarked
package sluice.protocol.access;

import org.jspecify.annotations.NullMarked;
