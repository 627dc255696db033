/// Bytes in heap arrays with one owner at a time, and the bounded pools they come from.
@NullMarked
package sluice.base.buf;

import org.jspecify.annotations.NullMarked;
