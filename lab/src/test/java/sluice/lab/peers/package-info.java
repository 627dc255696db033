/// Engines that the lab starts, each once in each protocol.
@NullMarked
package sluice.lab.peers;

import org.jspecify.annotations.NullMarked;
