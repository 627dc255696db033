/// The operating system as `java.nio` sees it, for systems other than Linux and as a second opinion
/// in tests. It keeps the contract of `sluice.base.os` and makes no attempt to be fast: no
/// splicing, one datagram per system call, copies between heap and native memory. [PortableSystem]
/// is the door.
@NullMarked
package sluice.portable;

import org.jspecify.annotations.NullMarked;
