package dev.belay.runtime.policy;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.tool.ToolEffect;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A policy of rules. Immutable and thread-safe.
 *
 * <p>Rules that can be about a tool are found once for each tool and agent and remembered, so that a call costs only those.
 */
public final class RulePolicy implements Policy {

    /** Tools and agents whose rules are remembered; a program has some hundred. */
    private static final int MOST_REMEMBERED = 4_096;

    private final List<PolicyRule> rules;
    private final PolicyDecision otherwise;
    private final String hash;
    private final Map<Subject, Candidates> remembered = new ConcurrentHashMap<>();

    /** What decides which rules can be about a call. */
    private record Subject(String agent, String tool, ToolEffect effect, List<String> tags) {}

    RulePolicy(List<PolicyRule> rules, Verdict otherwise) {
        this.rules = List.copyOf(rules);
        Set<String> ids = new HashSet<>();
        var all = new FramedHash().add("belay-policy-1").add(otherwise.name());
        for (PolicyRule rule : rules) {
            if (!ids.add(rule.id())) {
                throw new BelayException("invalid_policy", "two rules are named \"" + rule.id()
                        + "\"; give each its own name, which grants and the log use");
            }
            String contradiction = rule.contradiction();
            if (contradiction != null) {
                throw new BelayException("invalid_policy", contradiction);
            }
            all.add(rule.hash());
        }
        this.hash = all.hex();
        this.otherwise = otherwise == Verdict.ALLOW
                ? PolicyDecision.ALLOW
                : new PolicyDecision(otherwise, null, "no rule is about this call", hash); // of all rules that are not
    }

    /** The same with another verdict about calls that no rule matches; {@code ALLOW} by default. */
    public RulePolicy otherwise(Verdict verdict) {
        return new RulePolicy(rules, verdict);
    }

    /** The rules, in their order. */
    public List<PolicyRule> rules() {
        return rules;
    }

    /** A hash over all rules: equal for policies that decide the same. */
    public String hash() {
        return hash;
    }

    @Override
    public PolicyDecision decide(PolicyCall call) {
        PolicyDecision decided = candidates(call).decide(call);
        return decided == null ? otherwise : decided;
    }

    private Candidates candidates(PolicyCall call) {
        var subject = new Subject(call.agent(), call.tool(), call.effect(), call.tags());
        Candidates known = remembered.get(subject);
        if (known == null) {
            known = Candidates.of(rules, call);
            if (remembered.size() >= MOST_REMEMBERED) {
                remembered.clear();
            }
            remembered.put(subject, known);
        }
        return known;
    }

    /**
     * Why a call is decided as it is.
     *
     * @param decision what the rules say
     * @param matched all rules that match, in their order
     * @param isRepeat whether the repeat guard stops the call, whatever the rules say
     * @param grants let the call run although the rules ask, while its tool is unchanged; empty if a person is asked
     */
    public record Explanation(PolicyDecision decision, List<PolicyRule> matched, boolean isRepeat,
            List<Grant> grants) {

        /** Copies the lists. */
        public Explanation {
            matched = List.copyOf(matched);
            grants = List.copyOf(grants);
        }

        /** In words: what decides, then one line for each rule that matches. */
        @Override
        public String toString() {
            var text = new StringBuilder();
            if (isRepeat) {
                text.append("DENY by the repeat guard: the same call was denied or failed ")
                        .append(PolicyCall.MOST_FAILURES)
                        .append(" times in this turn\n");
            } else {
                grants.forEach(grant -> text.append("ALLOW by grant ")
                        .append(grant.id())
                        .append(" of ")
                        .append(ShownText.escaped(grant.by()))
                        .append(grant.turn() == null ? "" : " for turn " + grant.turn())
                        .append(", while the tool is unchanged\n"));
            }
            text.append(decision.verdict()).append(" by ").append(decision.words());
            matched.forEach(rule -> text.append("\n  ")
                    .append(rule.verdict())
                    .append(' ')
                    .append(rule.decision().words()));
            return text.toString();
        }
    }

    /** Which rules match a call, and which of them decides; without grants. */
    public Explanation explain(PolicyCall call) {
        return explain(call, List.of());
    }

    /**
     * The same with the grants of a session. What the tool declares is not part of it.
     *
     * @param grants as {@code session.grants().list()} gives them
     */
    public Explanation explain(PolicyCall call, List<Grant> grants) {
        PolicyDecision decided = decide(call);
        return new Explanation(decided, rules.stream().filter(rule -> rule.matches(call)).toList(),
                call.failures() >= PolicyCall.MOST_FAILURES,
                decided.verdict() == Verdict.ASK ? covering(call, decided, grants) : List.of());
    }

    /** The first grant of each rule that asks; empty if one has none. */
    private static List<Grant> covering(PolicyCall call, PolicyDecision asked, List<Grant> grants) {
        Set<Grant> covering = new LinkedHashSet<>();
        for (DecidingRule rule : asked.rules()) {
            Optional<Grant> grant = grants.stream().filter(one -> one.isAbout(call, rule)).findFirst();
            if (grant.isEmpty()) {
                return List.of();
            }
            covering.add(grant.get());
        }
        return List.copyOf(covering);
    }
}
