/// From files to a [Configuration]: decoding, JSON and YAML, references, merging, the shapes that
/// all inbounds and outbounds share, and the checks that look at more than one object. What a
/// protocol or the router may be told stands beside them. Start with [Configurations].
@NullMarked
package sluice.app.config;

import org.jspecify.annotations.NullMarked;
