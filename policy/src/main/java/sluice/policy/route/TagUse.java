package sluice.policy.route;

import sluice.base.config.Place;

/// A tag that a rule mentions, so that whoever knows all inbounds and outbounds can check that it
/// exists.
///
/// @param kind what the tag belongs to
/// @param tag the tag
/// @param place where it is written
/// @param path which value it is
public record TagUse(Kind kind, String tag, Place place, String path) {

    /// What a tag belongs to.
    public enum Kind {
        /// A way in.
        INBOUND,
        /// A way out.
        OUTBOUND
    }
}
