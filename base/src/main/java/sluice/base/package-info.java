/// The words every room speaks: bytes, addresses, machines, time, configuration nodes, faults.
@NullMarked
package sluice.base;

import org.jspecify.annotations.NullMarked;
