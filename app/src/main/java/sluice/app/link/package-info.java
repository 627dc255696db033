/// Share links: one line of text that holds one outbound.
@NullMarked
package sluice.app.link;

import org.jspecify.annotations.NullMarked;
