/// Addresses, endpoints, destinations, prefixes; parsed once, compared by value.
@NullMarked
package sluice.base.net;

import org.jspecify.annotations.NullMarked;
