/// C functions as method handles, the numbers of the kernel's interface, and the layouts of its
/// structures. Nothing here decides anything. Start with [CallState].
@NullMarked
package sluice.linux.ffi;

import org.jspecify.annotations.NullMarked;
