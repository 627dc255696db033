/// What an operator wrote, as a tree that knows its places, and the description of what may be
/// written: [Shape], [Key] and [Kind]. Readers and the JSON Schema follow from the same
/// description. Files are read elsewhere; here nothing touches the disk. Start with [Shape].
@NullMarked
package sluice.base.config;

import org.jspecify.annotations.NullMarked;
