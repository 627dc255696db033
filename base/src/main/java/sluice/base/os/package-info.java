/// The narrow door to the operating system that the engine goes through; drivers stand behind it.
@NullMarked
package sluice.base.os;

import org.jspecify.annotations.NullMarked;
