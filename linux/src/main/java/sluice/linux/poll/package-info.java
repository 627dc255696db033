/// Readiness: epoll, and the event descriptor that wakes a loop.
@NullMarked
package sluice.linux.poll;

import org.jspecify.annotations.NullMarked;
