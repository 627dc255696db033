/// The tools of tests that know no room of ours, so that `base` may use them as well. Test scope
/// only.
@NullMarked
package sluice.testkit;

import org.jspecify.annotations.NullMarked;
