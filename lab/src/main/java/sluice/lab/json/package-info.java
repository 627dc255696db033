/// JSON as plain values.
@NullMarked
package sluice.lab.json;

import org.jspecify.annotations.NullMarked;
