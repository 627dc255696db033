/// The only door to the Linux kernel. [LinuxSystem] is all that other rooms see; behind it `ffi`
/// binds C functions, `poll` waits, `socket` makes sockets and moves datagrams, `pipe` splices.
@NullMarked
package sluice.linux;

import org.jspecify.annotations.NullMarked;
