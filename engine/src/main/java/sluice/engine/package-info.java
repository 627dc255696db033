/// Loops, legs, flows and relays: where machines meet the operating system. It acts and never
/// decides.
@NullMarked
package sluice.engine;

import org.jspecify.annotations.NullMarked;
