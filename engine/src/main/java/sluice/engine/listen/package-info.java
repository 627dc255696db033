/// Accepting: listening sockets, and which loop gets what they bring.
@NullMarked
package sluice.engine.listen;

import org.jspecify.annotations.NullMarked;
