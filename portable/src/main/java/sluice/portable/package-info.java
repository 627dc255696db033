/// The operating system as `java.nio` sees it, for systems other than Linux and as a second opinion
/// in tests.
@NullMarked
package sluice.portable;

import org.jspecify.annotations.NullMarked;
