/// The contract of every sans-IO machine, so that TLS, carriers and proxy protocols stack alike.
@NullMarked
package sluice.base.machine;

import org.jspecify.annotations.NullMarked;
