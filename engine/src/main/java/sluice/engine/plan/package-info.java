/// What an engine shall do, as plain values: inbounds, outbounds, rules and limits of one
/// configuration.
@NullMarked
package sluice.engine.plan;

import org.jspecify.annotations.NullMarked;
