package dev.belay.cli.settings;

import dev.belay.config.ConfigTable;
import dev.belay.config.PolicyFile;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of an agent in the command: the rules of {@code [policy]}. A call that no rule matches runs if its tool only reads and asks
 * otherwise, unless {@code otherwise} is said.
 *
 * @param rules of the settings
 * @param otherwise what the settings say about calls that no rule matches, or null
 */
public record AgentPolicy(RulePolicy rules, @Nullable Verdict otherwise) implements Policy {

    /** Without rules: what is not {@code READ} asks. */
    public static final AgentPolicy USUAL = new AgentPolicy(Policy.rules(), null);

    /** Reads the table {@code policy} of a table; every problem is told with its line and column. */
    static AgentPolicy of(ConfigTable table) {
        return new AgentPolicy(PolicyFile.of(table), table.table("policy")
                .flatMap(policy -> policy.text("otherwise"))
                .map(word -> Verdict.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(null));
    }

    @Override
    public PolicyDecision decide(PolicyCall call) {
        PolicyDecision decided = rules.decide(call);
        if (decided.rule() != null || otherwise != null) {
            return decided;
        }
        return call.effect() == ToolEffect.READ
                ? PolicyDecision.ALLOW
                : new PolicyDecision(Verdict.ASK, "changes", "it may change something", rules.hash());
    }

    /** What lets calls run that would ask without it, in words. */
    List<String> loosened() {
        Stream<String> allowing = rules.rules()
                .stream()
                .filter(rule -> rule.verdict() == Verdict.ALLOW)
                .map(PolicyRule::id)
                .map(id -> "let calls run without asking (rule \"" + id + "\" of the policy)");
        return Stream.concat(allowing, otherwise == Verdict.ALLOW
                ? Stream.of("let calls run without asking (otherwise = \"allow\" of the policy)")
                : Stream.of()).toList();
    }
}
