/// What a protocol offers the engine: its name, its options, its machines. The engine knows nothing
/// else.
@NullMarked
package sluice.protocol.spi;

import org.jspecify.annotations.NullMarked;
