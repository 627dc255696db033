/// Ordered rules that lead from what is known of a flow to a decision. Start at [Router].
///
/// The rules read and mean what sing-box's mean; `RuleOptions` names what is left out.
@NullMarked
package sluice.policy.route;

import org.jspecify.annotations.NullMarked;
