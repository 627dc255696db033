/// The brain: where traffic goes and what it may do. It decides and never acts.
@NullMarked
package sluice.policy;

import org.jspecify.annotations.NullMarked;
