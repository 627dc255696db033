/// What the brain knows of names and addresses: how a resolver is asked, and in which order
/// addresses are tried. It opens no socket; the engine brings the resolver.
@NullMarked
package sluice.policy.dns;

import org.jspecify.annotations.NullMarked;
