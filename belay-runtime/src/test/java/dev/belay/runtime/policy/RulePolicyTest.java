package dev.belay.runtime.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.tool.ToolEffect;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract I.1: rules over names, tags, effect and arguments; the strictest match wins. */
class RulePolicyTest {

    private static PolicyCall call(String tool, String arguments) {
        return PolicyCall.of(tool, Json.of(arguments));
    }

    @Test
    void theStrictestMatchWinsWhateverTheOrder() {
        PolicyRule allow = PolicyRule.allow("a").tools("pay*");
        PolicyRule ask = PolicyRule.ask("b").tools("*");
        PolicyRule deny = PolicyRule.deny("c")
                .tools("pay")
                .where("/to", Match.equalTo("eve"))
                .reason("not to eve");
        for (List<PolicyRule> order : List.of(List.of(allow, ask, deny), List.of(deny, allow, ask),
                List.of(ask, deny, allow))) {
            RulePolicy policy = Policy.rules(order);
            assertThat(policy.decide(call("pay", "{\"to\":\"eve\"}")).rule()).isEqualTo("c");
            assertThat(policy.decide(call("pay", "{\"to\":\"ann\"}")).rule()).isEqualTo("b");
            assertThat(policy.decide(call("pay", "{\"to\":\"eve\"}")).words())
                    .isEqualTo("rule \"c\": not to eve");
        }
    }

    @Test
    void rulesThatDifferHaveOtherWordsAndOtherHashes() {
        List<List<PolicyRule>> pairs = List.of(
                List.of(PolicyRule.allow("a")
                        .where("/command", Match.equalTo("git status"))
                        .where("/s", Match.present()),
                        PolicyRule.allow("a")
                                .where("/command equals \"git status\" and /s", Match.present())),
                List.of(PolicyRule.allow("a")
                        .where("/path", Match.glob("prod/*"))
                        .where("/content", Match.present()),
                        PolicyRule.allow("a").where("/path glob prod/* and /content", Match.present())),
                List.of(PolicyRule.allow("a").tags("x", "y"), PolicyRule.allow("a").tags("x, y")),
                List.of(PolicyRule.allow("a").tags("x").where("/s", Match.present()),
                        PolicyRule.allow("a").tags("x where /s present")),
                List.of(PolicyRule.allow("a").where("/a", Match.prefix("b")).where("/c", Match.present()),
                        PolicyRule.allow("a").where("/a", Match.prefix("b and /c present"))));

        assertThat(pairs).allSatisfy(pair -> {
            assertThat(pair.getFirst().about()).isNotEqualTo(pair.getLast().about());
            assertThat(pair.getFirst().hash()).isNotEqualTo(pair.getLast().hash());
        });
    }

    @Test
    void aRuleSaysWhichCallsItIsAbout() {
        assertThat(PolicyRule.deny("a").about()).isEqualTo("all calls");
        assertThat(PolicyRule.allow("b")
                .tools("write_*", "pay")
                .agents("shop")
                .tags("money")
                .effects(ToolEffect.ONCE)
                .afterCalls(3)
                .inDoubt()
                .where("/path", Match.glob("*.txt"))
                .where("/sum", Match.not(Match.above(5)))
                .about())
                .isEqualTo(
                        "calls of write_*, pay by the agents shop tagged money with the effects ONCE after 3 calls of"
                                + " their tool in the turn while calls are in doubt where /path glob *.txt and /sum not above 5");
    }

    @Test
    void whatNoRuleIsAboutIsAllowedUnlessThePolicySaysMore() {
        RulePolicy policy = Policy.rules(PolicyRule.deny("no").tools("rm"));
        assertThat(policy.decide(call("ls", "{}"))).isEqualTo(PolicyDecision.ALLOW);
        assertThat(policy.otherwise(Verdict.ASK).decide(call("ls", "{}")).verdict()).isEqualTo(Verdict.ASK);
        assertThat(policy.otherwise(Verdict.ASK).decide(call("rm", "{}")).verdict()).isEqualTo(Verdict.DENY);
    }

    @Test
    void rulesLookAtEffectTagsAgentAndEarlierCalls() {
        RulePolicy policy = Policy.rules(
                PolicyRule.ask("writes").effects(ToolEffect.ONCE, ToolEffect.IDEMPOTENT).agents("shop*"),
                PolicyRule.deny("money").tags("money"),
                PolicyRule.deny("many").tools("search").afterCalls(3));
        PolicyCall read = call("search", "{}").effect(ToolEffect.READ);
        assertThat(policy.decide(read).verdict()).isEqualTo(Verdict.ALLOW);
        assertThat(policy.decide(read.earlier(2)).verdict()).isEqualTo(Verdict.ALLOW);
        assertThat(policy.decide(read.earlier(3)).rule()).isEqualTo("many");
        assertThat(policy.decide(call("x", "{}").agent("shop-1")).rule()).isEqualTo("writes");
        assertThat(policy.decide(call("x", "{}").agent("desk")).verdict()).isEqualTo(Verdict.ALLOW);
        assertThat(policy.decide(read.tags(List.of("slow", "money"))).rule()).isEqualTo("money");
    }

    @Test
    void explainNamesTheRuleThatDecidedAndAllThatMatch() {
        RulePolicy policy = Policy.rules(PolicyRule.allow("reads").effects(ToolEffect.READ),
                PolicyRule.ask("big")
                        .tools("refund")
                        .where("/amount", Match.above(100))
                        .reason("over the limit"),
                PolicyRule.allow("refunds").tools("refund"));
        assertThat(policy.explain(call("refund", "{\"amount\":250}")).toString()).isEqualTo("""
                ASK by rule "big": over the limit
                  ASK rule "big": over the limit
                  ALLOW rule "refunds\"""");
        assertThat(policy.explain(call("refund", "{\"amount\":100}")).decision().rule()).isEqualTo("refunds");
        assertThat(policy.explain(call("other", "{}")).toString()).isEqualTo("ALLOW by no rule");
    }

    @Test
    void explainNamesTheGrantThatLetsACallRunAndTheRepeatGuardThatStopsIt() {
        PolicyRule big = PolicyRule.ask("big").tools("refund").where("/amount", Match.above(100));
        RulePolicy policy = Policy.rules(big);
        Grant grant = Grant.of("default", "refund", "print", big.decision().rules(), null, "anna",
                Instant.EPOCH);
        PolicyCall call = call("refund", "{\"amount\":250}");
        assertThat(policy.explain(call, List.of(grant)).toString()).isEqualTo("ALLOW by grant " + grant.id()
                + " of anna, while the tool is unchanged\nASK by rule \"big\"\n  ASK rule \"big\"");
        assertThat(policy.explain(call.agent("other"), List.of(grant)).grants()).isEmpty();
        assertThat(policy.explain(call("pay", "{\"amount\":250}"), List.of(grant)).grants()).isEmpty();
        assertThat(Policy.rules(big.reason("new")).explain(call, List.of(grant)).grants())
                .as("another form of the rule")
                .isEmpty();
        assertThat(policy.explain(call.failures(3), List.of(grant)).toString())
                .startsWith(
                        "DENY by the repeat guard: the same call was denied or failed 3 times in this turn\n");
        assertThat(policy.explain(call.failures(2)).isRepeat()).isFalse();
    }

    @Test
    void anExampleThatContradictsItsRuleIsRefused() {
        assertThatThrownBy(() -> Policy.rules(
                PolicyRule.deny("no")
                        .tools("pay")
                        .where("/n", Match.above(5))
                        .matching(call("pay", "{\"n\":5}"))))
                .isInstanceOf(BelayException.class)
                .hasMessage("rule \"no\" does not match its example pay {\"n\":5}");
        assertThatThrownBy(
                () -> Policy.rules(PolicyRule.deny("no").tools("pay").notMatching(call("pay", "{}"))))
                .hasMessage("rule \"no\" matches pay {}, which it must not");
        Policy.rules(
                PolicyRule.deny("no")
                        .tools("pay")
                        .matching(call("pay", "{}"))
                        .notMatching(call("play", "{}")));
    }

    @Test
    void twoRulesOfOneNameAreRefused() {
        assertThatThrownBy(() -> Policy.rules(PolicyRule.deny("x"), PolicyRule.allow("x")))
                .hasMessageStartingWith("two rules are named \"x\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "db.*", "ä*", "a/b"})
    void aPatternThatNoNameCanMatchIsRefused(String pattern) {
        assertThatThrownBy(() -> PolicyRule.deny("x").tools(pattern)).isInstanceOf(BelayException.class)
                .satisfies(e -> assertThat(((BelayException) e).code()).isEqualTo("invalid_policy"));
    }

    @Test
    void namesAndPointersAreChecked() {
        assertThatThrownBy(() -> PolicyRule.deny("a b")).hasMessageContaining("found \"a b\"");
        assertThatThrownBy(() -> PolicyRule.deny("x").where("amount", Match.present()))
                .hasMessageContaining("\"amount\" is no JSON pointer");
        assertThatThrownBy(() -> Match.hostIn(List.of("http://x/y"))).hasMessageContaining("is no host");
        assertThatThrownBy(() -> Match.glob("")).hasMessageContaining("1 to 500 characters");
    }

    @Test
    void theHashChangesWithEveryRule() {
        RulePolicy one = Policy.rules(PolicyRule.ask("x").tools("pay").where("/n", Match.above(5)));
        assertThat(one.hash())
                .isEqualTo(Policy.rules(PolicyRule.ask("x").tools("pay").where("/n", Match.above(5))).hash());
        assertThat(one.hash()).isNotEqualTo(
                Policy.rules(PolicyRule.ask("x").tools("pay").where("/n", Match.above(6))).hash());
        assertThat(one.hash()).isNotEqualTo(one.otherwise(Verdict.ASK).hash());
        assertThat(one.rules().getFirst().decision().rules())
                .isNotEqualTo(
                        PolicyRule.ask("x").tools("pay*").where("/n", Match.above(5)).decision().rules());
    }

    @Test
    void tenThousandRulesAreDecidedByTheOnesAboutTheTool() {
        List<PolicyRule> rules = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rules.add(PolicyRule.deny("r" + i).tools("tool_" + i + "_*").where("/n", Match.above(i)));
        }
        RulePolicy policy = Policy.rules(rules);
        assertThat(policy.decide(call("tool_77_x", "{\"n\":78}")).rule()).isEqualTo("r77");
        assertThat(policy.decide(call("tool_77_x", "{\"n\":77}"))).isEqualTo(PolicyDecision.ALLOW);
    }

    @Test
    void aDecisionIsThatOfTheStrictestRulesThatMatchAndOfAllThatAsk() {
        var random = new Random(20);
        String[] names = {"pay", "refund", "search"};
        List<Verdict> verdicts = List.of(Verdict.ALLOW, Verdict.ASK, Verdict.DENY);
        List<ToolEffect> effects = List.of(ToolEffect.READ, ToolEffect.IDEMPOTENT, ToolEffect.ONCE);
        List<PolicyRule> rules = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            PolicyRule rule = PolicyRule.of(verdicts.get(random.nextInt(3)), "r" + i);
            rule = random.nextBoolean() ? rule.tools(names[random.nextInt(3)]) : rule.tools("*e*", "none");
            rule = random.nextInt(3) == 0 ? rule.tags("t" + random.nextInt(3)) : rule;
            rule = random.nextInt(3) == 0 ? rule.effects(effects.get(random.nextInt(3))) : rule;
            rule = random.nextInt(3) == 0 ? rule.afterCalls(random.nextInt(4)) : rule;
            rule = random.nextInt(6) == 0 ? rule.inDoubt() : rule;
            rule = random.nextInt(4) == 0 ? rule : rule.where("/n", Match.above(random.nextInt(40)));
            rules.add(random.nextBoolean() ? rule.where("/m", Match.below(random.nextInt(20))) : rule);
        }
        for (int i = 0; i < 5_000; i++) {
            RulePolicy policy = Policy.rules(rules.subList(random.nextInt(50), 60));
            PolicyCall plain = call(names[random.nextInt(3)],
                    "{\"n\":" + random.nextInt(45) + (random.nextBoolean() ? ",\"m\":3" : "") + "}")
                    .effect(effects.get(random.nextInt(3)))
                    .tags(List.of("t" + random.nextInt(4)))
                    .earlier(random.nextInt(5));
            PolicyCall call = random.nextInt(4) == 0 ? plain.inDoubt() : plain;
            List<PolicyRule> matching = policy.rules().stream().filter(rule -> rule.matches(call)).toList();
            Verdict strictest = matching.stream()
                    .map(PolicyRule::verdict)
                    .max(Comparator.naturalOrder())
                    .orElse(Verdict.ALLOW);
            List<String> strict = matching.stream()
                    .filter(rule -> rule.verdict() == strictest)
                    .map(PolicyRule::id)
                    .limit(strictest == Verdict.ASK ? 99 : 1)
                    .toList();
            PolicyDecision decided = policy.decide(call);
            assertThat(decided.verdict()).as("seed 20, call %d: %s", i, call).isEqualTo(strictest);
            assertThat(decided.rules().stream().map(DecidingRule::id).filter(Objects::nonNull))
                    .as("seed 20, call %d: %s", i, call)
                    .containsExactlyElementsOf(strict);
        }
    }

    @Test
    void rangesAreExactForEveryFormOfANumber() {
        List<String> numbers = List.of("-1e30", "-9223372036854775808", "-2.5", "-2", "-1.999", "0", "-0.0",
                "1e-9",
                "1", "2", "2.0", "2.000000000000000001", "2.5", "3", "20e-1", "999999999999999999",
                "1000000000000000000", "4611686018427387903", "4611686018427387904", "9223372036854775807",
                "9223372036854775808", "1e30", "1e-1000");
        for (String bound : numbers) {
            var exact = new BigDecimal(bound);
            Map<Match, IntPredicate> ranges = Map.of(Match.above(exact), sign -> sign > 0,
                    Match.atLeast(exact), sign -> sign >= 0, Match.below(exact), sign -> sign < 0,
                    Match.atMost(exact), sign -> sign <= 0);
            ranges.forEach((match, holds) -> {
                RulePolicy policy = Policy.rules(PolicyRule.deny("range").where("/n", match));
                for (String number : numbers) {
                    assertThat(policy.decide(call("t", "{\"n\":" + number + "}")).verdict())
                            .as("%s %s", number, match)
                            .isEqualTo(holds.test(new BigDecimal(number).compareTo(exact))
                                    ? Verdict.DENY
                                    : Verdict.ALLOW);
                }
                assertThat(policy.decide(call("t", "{\"n\":\"2\"}")).verdict()).isEqualTo(Verdict.ALLOW);
            });
        }
    }

    @Test
    void rulesBehindOneThatMatchesAllCallsOfAToolAreNotAsked() {
        var asked = new AtomicInteger();
        PolicyCall call = call("pay", "{}").standing(new PolicyCall.Standing() {
            @Override
            public boolean isInDoubt() {
                asked.incrementAndGet();
                return true;
            }
        });
        PolicyRule all = PolicyRule.deny("all").tools("pay");
        PolicyRule doubtful = PolicyRule.deny("doubtful").inDoubt();
        assertThat(Policy.rules(all, doubtful).decide(call).rule()).isEqualTo("all");
        assertThat(asked).hasValue(0);
        assertThat(Policy.rules(doubtful, all).decide(call).rule()).isEqualTo("doubtful");
    }

    @Test
    void aTextThatLooksLikeTwoMatchesIsAnotherRule() {
        RulePolicy two = Policy.rules(PolicyRule.deny("x")
                .where("/p", Match.allOf(List.of(Match.prefix("a"), Match.glob("*b")))));
        RulePolicy one = Policy.rules(PolicyRule.deny("x")
                .where("/p", Match.allOf(List.of(Match.prefix("a and glob *b")))));
        assertThat(one.hash()).isNotEqualTo(two.hash());
        assertThat(one.rules().getFirst().about()).isNotEqualTo(two.rules().getFirst().about());
    }
}
