/// What a stranger may use up: pure arithmetic over counts, without clocks and sockets.
@NullMarked
package sluice.policy.limit;

import org.jspecify.annotations.NullMarked;
