/// The only door to the Linux kernel.
@NullMarked
package sluice.linux;

import org.jspecify.annotations.NullMarked;
