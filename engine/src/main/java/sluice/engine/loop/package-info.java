/// One thread, one poller, one wheel, one command queue.
@NullMarked
package sluice.engine.loop;

import org.jspecify.annotations.NullMarked;
