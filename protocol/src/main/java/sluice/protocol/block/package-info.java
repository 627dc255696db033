/// The outbound that refuses everything.
@NullMarked
package sluice.protocol.block;

import org.jspecify.annotations.NullMarked;
