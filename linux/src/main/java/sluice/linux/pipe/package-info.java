/// Pipes for moving bytes between sockets inside the kernel.
@NullMarked
package sluice.linux.pipe;

import org.jspecify.annotations.NullMarked;
