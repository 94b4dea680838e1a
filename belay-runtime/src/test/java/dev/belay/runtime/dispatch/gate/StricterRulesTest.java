package dev.belay.runtime.dispatch.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.context.CallId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A rule that asks or denies never loosens the decision about a call that a rule already decides. */
class StricterRulesTest {

    private static final List<Verdict> VERDICTS = List.of(Verdict.values());
    private static final int CASES = Boolean.getBoolean("belay.long") ? 2_000_000 : 5_000;
    private static final List<String> AGENTS = List.of("own", "parent", "top");
    private static final ToolDefinition REFUND = ToolDefinition.raw("refund", "Refunds.",
            Json.of("{\"type\":\"object\"}"));

    private final Random random = new Random(45);

    private PolicyRule rule(String id, Verdict verdict) {
        PolicyRule rule = PolicyRule.of(verdict, id);
        rule = random.nextInt(3) == 0 ? rule.tools("pay", "search") : rule;
        return switch (random.nextInt(4)) {
            case 0 -> rule;
            case 1 -> rule.where("/amount", Match.below(random.nextInt(12)));
            case 2 -> rule.where("/amount", Match.not(Match.equalTo(Json.number(random.nextInt(10)))));
            default -> rule.where("/amount", Match.above(random.nextInt(10)));
        };
    }

    private Map<String, List<PolicyRule>> chain() {
        Map<String, List<PolicyRule>> chain = new TreeMap<>();
        for (String agent : AGENTS.subList(0, 1 + random.nextInt(AGENTS.size()))) {
            List<PolicyRule> rules = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                rules.add(rule(agent + i, VERDICTS.get(random.nextInt(VERDICTS.size()))));
            }
            chain.put(agent, rules);
        }
        return chain;
    }

    private static CallView call(int amount) {
        Json arguments = Json.of("{\"amount\":" + amount + "}");
        return new CallView(new CallReference(new ScopeId("scope"), 1, 1, 0, new CallId("a"), "refund",
                arguments.text()), REFUND.manifest(), arguments, null);
    }

    private static Gate gate(Map<String, List<PolicyRule>> chain) {
        Map<String, Policy> policies = new TreeMap<>();
        chain.forEach((agent, rules) -> policies.put(agent, Policy.rules(rules)));
        return new Gate("own", policies, policies.keySet(), ApprovalMode.PARK, Gate.EXPIRY, Gate.EXPIRY);
    }

    private static Gating owner(Map<String, List<PolicyRule>> chain, List<Grant> grants) {
        return new Gating() {
            @Override
            public List<Above> above() {
                return chain.keySet()
                        .stream()
                        .filter(agent -> !agent.equals("own"))
                        .map(agent -> new Above("session of " + agent, agent))
                        .toList();
            }

            @Override
            public List<Grant> grants() {
                return grants;
            }
        };
    }

    private Grant granted(Gate gate, Gating owner) {
        return Grant.of("own", "refund", "print", gate.decide(call(random.nextInt(12)), owner).rules(),
                random.nextBoolean() ? null : 1L, "anna", Instant.EPOCH);
    }

    /** 0 if the call runs, 1 if a person is asked, 2 if it is denied. */
    private static int strictness(Gate gate, CallView call, List<DecidingRule> shown, Gating owner) {
        PolicyDecision decided = gate.decide(call, owner);
        return decided.verdict() == Verdict.DENY
                ? 2
                : gate.unanswered(call, "print", decided, shown, owner).isEmpty() ? 0 : 1;
    }

    @Test
    void aRuleThatAsksOrDeniesNeverLoosensADecision() {
        int asking = 0;
        int answered = 0;
        for (int i = 0; i < CASES; i++) {
            Map<String, List<PolicyRule>> chain = chain();
            String agent = List.copyOf(chain.keySet()).get(random.nextInt(chain.size()));
            Map<String, List<PolicyRule>> stricter = new TreeMap<>(chain);
            List<PolicyRule> more = new ArrayList<>(chain.get(agent));
            more.add(random.nextInt(more.size() + 1),
                    rule("more", random.nextBoolean() ? Verdict.ASK : Verdict.DENY));
            stricter.put(agent, more);
            Gate before = gate(chain);
            Gate after = gate(stricter);
            Gate asked = random.nextBoolean() ? before : after; // the policy when the person was asked
            Gating given = owner(chain, List.of());
            List<Grant> grants = random.nextBoolean()
                    ? List.of()
                    : List.of(granted(asked, given),
                            granted(asked, given));
            Gating owner = owner(chain, grants);
            List<DecidingRule> shown = random.nextBoolean()
                    ? List.of()
                    : asked.decide(call(random.nextInt(12)), owner).rules(); // of a call that was edited
            CallView call = call(random.nextInt(12));
            int was = strictness(before, call, shown, owner);
            assertThat(strictness(after, call, shown, owner))
                    .as("seed 45, case %d: %s of %s, then %s, shown %s, granted %s", i, call.arguments(),
                            chain, stricter, shown, grants)
                    .isGreaterThanOrEqualTo(was);
            asking += was == 1 ? 1 : 0;
            answered += was == 0 && before.decide(call, owner).verdict() == Verdict.ASK ? 1 : 0;
        }
        assertThat(asking).isGreaterThan(CASES / 20);
        assertThat(answered).isGreaterThan(CASES / 50);
    }
}
