package dev.belay.cli.settings;

import dev.belay.config.ConfigTable;
import dev.belay.config.PolicyFile;
import dev.belay.json.Json;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.tool.ToolEffect;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of an agent in the command: the rules of {@code [policy]}. A call that no rule matches runs if its tool only reads, or asks another
 * agent, and asks otherwise, unless {@code otherwise} is said.
 *
 * @param rules of the settings
 * @param otherwise what the settings say about calls that no rule matches, or null
 * @param commands texts that rules which allow calls compare command lines with
 */
public record AgentPolicy(RulePolicy rules, @Nullable Verdict otherwise, List<String> commands)
        implements
            Policy {

    /** Without rules: what is not {@code READ} asks. */
    public static final AgentPolicy USUAL = new AgentPolicy(Policy.rules(), null, List.of());

    /** Asking an agent changes nothing by itself: the calls of that agent are decided about under the same rules. */
    private static final String ASK_AGENT = "ask_agent";
    private static final String UNDECIDED = "calls that no rule is about";

    /** Reads the table {@code policy} of a table; every problem is told with its line and column. */
    static AgentPolicy of(ConfigTable table) {
        return new AgentPolicy(PolicyFile.of(table), table.table("policy")
                .flatMap(policy -> policy.text("otherwise"))
                .map(word -> Verdict.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(null), commands(table));
    }

    private static List<String> commands(ConfigTable table) {
        return table.table("policy")
                .stream()
                .flatMap(policy -> policy.tables("rule").stream())
                .filter(rule -> rule.text("verdict").equals(Optional.of("allow")))
                .flatMap(rule -> rule.tables("where").stream())
                .filter(where -> where.text("pointer").equals(Optional.of("/command")))
                .flatMap(where -> Stream.of("equals", "prefix", "glob")
                        .flatMap(key -> where.json(key).stream()))
                .filter(text -> text.kind() == Json.Kind.STRING)
                .map(Json::asString)
                .toList();
    }

    /** These rules and those of another policy, of which none is loosened: the strictest that matches counts. */
    AgentPolicy within(AgentPolicy other) {
        if (other.rules.rules().isEmpty() && other.otherwise == null) {
            return this;
        }
        Verdict strictest = otherwise == null
                || (other.otherwise != null && other.otherwise.compareTo(otherwise) > 0)
                        ? other.otherwise
                        : otherwise;
        RulePolicy both = Policy
                .rules(Stream.concat(other.rules.rules().stream(), rules.rules().stream()).toList())
                .otherwise(Objects.requireNonNullElse(strictest, Verdict.ALLOW));
        return new AgentPolicy(both, strictest,
                Stream.concat(other.commands.stream(), commands.stream()).toList());
    }

    @Override
    public PolicyDecision decide(PolicyCall call) {
        return ProjectText.guarded(call, byRules(call));
    }

    private PolicyDecision byRules(PolicyCall call) {
        PolicyDecision decided = rules.decide(call);
        if (decided.rule() != null || otherwise != null) {
            return decided;
        }
        return call.effect() == ToolEffect.READ || call.tool().equals(ASK_AGENT)
                ? PolicyDecision.ALLOW
                : new PolicyDecision(Verdict.ASK, "changes", "it may change something", rules.hash());
    }

    /** What lets calls run that would ask without it, in words. */
    List<String> loosened() {
        Stream<String> allowing = rules.rules()
                .stream()
                .filter(rule -> rule.verdict() == Verdict.ALLOW)
                .map(rule -> "let " + rule.about() + " run without asking (rule \"" + rule.id()
                        + "\" of the policy)");
        return Stream.concat(allowing, otherwise == Verdict.ALLOW
                ? Stream.of("let calls run without asking (otherwise = \"allow\" of the policy)")
                : Stream.of()).toList();
    }

    /** What denies calls, or asks about calls that would run without it, in words. */
    List<String> limits() {
        Stream<String> limiting = rules.rules()
                .stream()
                .filter(rule -> rule.verdict() != Verdict.ALLOW)
                .map(rule -> rule.verdict() == Verdict.DENY
                        ? Rules.deny(rule.about())
                        : Rules.ask(rule.about()));
        return Stream.concat(limiting, otherwise == Verdict.DENY || otherwise == Verdict.ASK
                ? Stream.of(otherwise == Verdict.DENY ? Rules.deny(UNDECIDED) : Rules.ask(UNDECIDED))
                : Stream.of()).toList();
    }
}
