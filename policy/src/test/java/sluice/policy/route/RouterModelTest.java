package sluice.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import sluice.base.net.DomainName;
import sluice.base.net.IpAddress;
import sluice.base.net.Prefix;
import sluice.policy.match.PortSet;
import sluice.policy.match.PrefixSet;
import sluice.testkit.Seeds;

/// The compiled rules against an evaluation of the options, written as the manual says it.
final class RouterModelTest {

    @ParameterizedTest
    @Seeds(300)
    void decidesLikeANaiveModel(long seed) {
        Random random = new Random(seed);
        List<RuleOptions> rules = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            rules.add(
                    new RuleOptions(
                            condition(random, 2), new RuleAction.Route("o" + i), List.of()));
        }
        Router router = Router.of(new RouteOptions(rules, null, List.of()), "last");
        for (int i = 0; i < 50; i++) {
            FlowFacts facts = facts(random);
            assertThat(router.decide(facts))
                    .as("%s by %s", facts, rules)
                    .isEqualTo(model(rules, facts));
        }
    }

    private static Decision model(List<RuleOptions> rules, FlowFacts facts) {
        for (int i = 0; i < rules.size(); i++) {
            if (matches(rules.get(i).condition(), facts)) {
                return new Decision.Use(((RuleAction.Route) rules.get(i).action()).outbound(), i);
            }
        }
        return new Decision.Use("last", Decision.FINAL);
    }

    private static boolean matches(RuleCondition condition, FlowFacts facts) {
        return switch (condition) {
            case RuleCondition.Logical logical -> {
                boolean result =
                        logical.all()
                                ? logical.rules().stream().allMatch(rule -> matches(rule, facts))
                                : logical.rules().stream().anyMatch(rule -> matches(rule, facts));
                yield result != logical.invert();
            }
            case RuleCondition.Fields fields -> matchesFields(fields, facts) != fields.invert();
        };
    }

    private static boolean matchesFields(RuleCondition.Fields fields, FlowFacts facts) {
        int port = facts.destination().port();
        return (fields.inbounds().isEmpty() || fields.inbounds().contains(facts.inbound()))
                && (fields.networks().isEmpty() || fields.networks().contains(facts.network()))
                && (fields.users().isEmpty()
                        || (facts.user() != null && fields.users().contains(facts.user())))
                && (fields.ports().isEmpty()
                        || fields.ports().stream()
                                .anyMatch(range -> range.from() <= port && port <= range.to()))
                && (fields.source().isEmpty() || matches(fields.source(), facts.source().address()))
                && (fields.target().isEmpty() || matchesTarget(fields.target(), facts));
    }

    private static boolean matchesTarget(RuleCondition.Target target, FlowFacts facts) {
        if (facts.destination().host() instanceof DomainName domain) {
            String name = domain.text().toLowerCase(Locale.ROOT);
            return target.names().contains(name)
                    || target.keywords().stream().anyMatch(name::contains)
                    || target.suffixes().stream()
                            .anyMatch(suffix ->
                                    suffix.startsWith(".")
                                            ? name.endsWith(suffix)
                                            : ("." + name).endsWith("." + suffix))
                    || (facts.resolved() != null
                            && facts.resolved().stream()
                                    .anyMatch(address -> matches(target.addresses(), address)));
        }
        return matches(target.addresses(), (IpAddress) facts.destination().host());
    }

    private static boolean matches(RuleCondition.Addresses addresses, IpAddress address) {
        return addresses.prefixes().stream().anyMatch(prefix -> prefix.contains(address))
                || (addresses.isPrivate() && PrefixSet.NOT_PUBLIC.contains(address));
    }

    private static RuleCondition condition(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            List<RuleCondition> rules = some(random, 1, () -> condition(random, depth - 1));
            return new RuleCondition.Logical(random.nextBoolean(), rules, random.nextBoolean());
        }
        RuleCondition.Fields fields =
                new RuleCondition.Fields(
                        some(random, 0, () -> "in" + random.nextInt(2)),
                        0,
                        some(random, 0, () -> Network.values()[random.nextInt(2)]),
                        some(random, 0, () -> "user" + random.nextInt(2)),
                        new RuleCondition.Target(
                                some(random, 0, () -> name(random)),
                                some(
                                        random,
                                        0,
                                        () -> (random.nextBoolean() ? "." : "") + name(random)),
                                some(random, 0, () -> random.nextBoolean() ? "a.b" : "bb"),
                                addresses(random)),
                        some(random, 0, () -> new PortSet.Range(random.nextInt(3), 3)),
                        addresses(random),
                        List.of(),
                        false);
        boolean invert = !fields.isEmpty() && random.nextInt(4) == 0;
        return new RuleCondition.Fields(
                fields.inbounds(),
                0,
                fields.networks(),
                fields.users(),
                fields.target(),
                fields.ports(),
                fields.source(),
                List.of(),
                invert);
    }

    private static RuleCondition.Addresses addresses(Random random) {
        return new RuleCondition.Addresses(
                some(random, 0, () -> new Prefix(address(random), 32)), random.nextInt(6) == 0);
    }

    /// Mostly nothing, so that rules match now and then.
    private static <T> List<T> some(Random random, int atLeast, Supplier<T> supplier) {
        int count = atLeast + (random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0);
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(supplier.get());
        }
        return List.copyOf(values);
    }

    private static FlowFacts facts(Random random) {
        boolean isName = random.nextBoolean();
        FlowFacts facts =
                Rules.facts(
                        "in" + random.nextInt(2),
                        Network.values()[random.nextInt(2)],
                        isName ? name(random) : address(random).toString(),
                        random.nextInt(5),
                        address(random).toString(),
                        1,
                        random.nextInt(3) == 0 ? null : "user" + random.nextInt(2));
        return isName && random.nextBoolean()
                ? facts.withResolved(List.of(address(random), address(random)))
                : facts;
    }

    private static String name(Random random) {
        String[] labels = {"a", "b", "bb"};
        StringBuilder name = new StringBuilder(labels[random.nextInt(3)]);
        for (int i = random.nextInt(3); i > 0; i--) {
            name.append('.').append(labels[random.nextInt(3)]);
        }
        return name.toString();
    }

    private static IpAddress address(Random random) {
        return IpAddress.v4((random.nextBoolean() ? 10 << 24 : 0xc000_0200) | random.nextInt(3));
    }
}
