/// TCP and UDP sockets: how they are made, and how datagrams go through the kernel in batches.
@NullMarked
package sluice.linux.socket;

import org.jspecify.annotations.NullMarked;
