package dev.belay.config;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Reads a policy from {@code [[policy.rule]]} of a configuration file; every problem is told with its line and column. */
public final class PolicyFile {

    private static final List<String> POLICY = List.of("otherwise", "rule");
    private static final List<String> RULE = List.of("id", "verdict", "tools", "agents", "tags", "effects",
            "after_calls", "in_doubt",
            "reason", "where", "matching", "not_matching");
    private static final List<String> WHERE = List.of("pointer", "equals", "glob", "prefix", "above",
            "at_least", "below",
            "at_most", "inside", "host_in", "present", "not");
    private static final List<String> EXAMPLE = List.of("tool", "arguments", "effect", "tags", "agent",
            "earlier", "in_doubt");
    private static final List<String> VERDICTS = List.of("allow", "ask", "deny");
    private static final List<String> EFFECTS = List.of("read", "idempotent", "once");

    private final List<ConfigProblem> problems = new ArrayList<>();

    private PolicyFile() {}

    /** Reads a file; throws {@link ConfigException} with all problems. */
    public static RulePolicy read(Path file) {
        return of(ConfigFile.read(file).root());
    }

    /** Reads the table {@code policy} of a file; a policy without rules if it has none. */
    public static RulePolicy of(ConfigTable root) {
        var reader = new PolicyFile();
        RulePolicy policy = root.table("policy").map(reader::policy).orElseGet(() -> Policy.rules());
        if (!reader.problems.isEmpty()) {
            throw new ConfigException(reader.problems);
        }
        return policy;
    }

    private RulePolicy policy(ConfigTable table) {
        problems.addAll(table.unknown(POLICY));
        List<PolicyRule> rules = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (ConfigTable one : table.tables("rule")) {
            int before = problems.size();
            problems.addAll(one.unknown(RULE));
            try {
                PolicyRule rule = rule(one);
                if (!ids.add(rule.id())) {
                    problems.add(one.problem("id", "two rules are named \"" + rule.id() + "\""));
                } else if (problems.size() == before) {
                    rules.add(rule);
                }
            } catch (ConfigException e) {
                problems.addAll(e.problems());
            }
        }
        Verdict otherwise = table.word("otherwise", VERDICTS).map(PolicyFile::verdict).orElse(Verdict.ALLOW);
        return Policy.rules(rules).otherwise(otherwise);
    }

    private static Verdict verdict(String word) {
        return Verdict.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private PolicyRule rule(ConfigTable table) {
        String id = table.text("id").orElseThrow(() -> missing(table, "id"));
        Verdict verdict = table.word("verdict", VERDICTS)
                .map(PolicyFile::verdict)
                .orElseThrow(() -> missing(table, "verdict"));
        PolicyRule rule = at(table, "id", () -> PolicyRule.of(verdict, id))
                .reason(table.text("reason").orElse(""));
        rule = at(table, "tools", with(rule, table, "tools"));
        rule = at(table, "agents", with(rule, table, "agents"));
        rule = rule.tags(table.texts("tags").toArray(String[]::new))
                .effects(effects(table).toArray(ToolEffect[]::new))
                .afterCalls(count(table, "after_calls"));
        if (table.bool("in_doubt").orElse(false)) {
            rule = rule.inDoubt();
        }
        for (ConfigTable where : table.tables("where")) {
            rule = where(rule, where);
        }
        for (ConfigTable example : table.tables("matching")) {
            rule = checked(rule.matching(example(example)), example);
        }
        for (ConfigTable example : table.tables("not_matching")) {
            rule = checked(rule.notMatching(example(example)), example);
        }
        return rule;
    }

    /** A rule with one more example; what contradicts it is told with the place of the example. */
    private static PolicyRule checked(PolicyRule rule, ConfigTable example) {
        String contradiction = rule.contradiction();
        if (contradiction != null) {
            throw new ConfigException(List.of(example.problem(contradiction)));
        }
        return rule;
    }

    private static int count(ConfigTable table, String key) {
        long count = table.integer(key).orElse(0L);
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw table.refused(key,
                    count + " is no number of calls; write one from 0 to " + Integer.MAX_VALUE);
        }
        return (int) count;
    }

    private static Supplier<PolicyRule> with(PolicyRule rule, ConfigTable table, String key) {
        String[] patterns = table.texts(key).toArray(String[]::new);
        return () -> key.equals("tools") ? rule.tools(patterns) : rule.agents(patterns);
    }

    private static List<ToolEffect> effects(ConfigTable table) {
        return table.texts("effects").stream().map(word -> effect(table, "effects", word)).toList();
    }

    private static ToolEffect effect(ConfigTable table, String key, String word) {
        if (!EFFECTS.contains(word)) {
            throw table.refused(key,
                    "\"" + word + "\" is no effect; allowed are " + String.join(", ", EFFECTS));
        }
        return ToolEffect.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private PolicyRule where(PolicyRule rule, ConfigTable table) {
        problems.addAll(table.unknown(WHERE));
        String pointer = table.text("pointer").orElseThrow(() -> missing(table, "pointer"));
        if (table.keys().stream().allMatch(key -> key.equals("pointer") || key.equals("not"))) {
            throw new ConfigException(
                    List.of(table.problem("this condition says nothing of the value at \"" + pointer
                            + "\"; add one of " + String.join(", ", WHERE.subList(1, WHERE.size() - 1)))));
        }
        List<Match> matches = new ArrayList<>();
        for (String key : table.keys()) {
            if (WHERE.contains(key) && !key.equals("pointer") && !key.equals("not")) {
                matches.add(at(table, key, () -> match(table, key)));
            }
        }
        List<Match> wanted = table.bool("not").orElse(false)
                ? List.of(Match.not(Match.allOf(matches)))
                : matches;
        return at(table, "pointer", () -> {
            PolicyRule all = rule;
            for (Match match : wanted) {
                all = all.where(pointer, match);
            }
            return all;
        });
    }

    private static Match match(ConfigTable table, String key) {
        return switch (key) {
            case "equals" -> Match.equalTo(table.json(key).orElseThrow());
            case "glob" -> Match.glob(table.text(key).orElseThrow());
            case "prefix" -> Match.prefix(table.text(key).orElseThrow());
            case "above" -> Match.above(table.number(key).orElseThrow());
            case "at_least" -> Match.atLeast(table.number(key).orElseThrow());
            case "below" -> Match.below(table.number(key).orElseThrow());
            case "at_most" -> Match.atMost(table.number(key).orElseThrow());
            case "inside" -> Match.inside(table.text(key).orElseThrow());
            case "host_in" -> Match.hostIn(table.texts(key));
            default -> table.bool(key).orElse(true) ? Match.present() : Match.not(Match.present());
        };
    }

    private PolicyCall example(ConfigTable example) {
        problems.addAll(example.unknown(EXAMPLE));
        PolicyCall call = PolicyCall.of(example.text("tool").orElseThrow(() -> missing(example, "tool")),
                example.json("arguments").orElse(Json.EMPTY_OBJECT))
                .effect(example.text("effect")
                        .map(word -> effect(example, "effect", word))
                        .orElse(ToolEffect.ONCE))
                .tags(example.texts("tags"))
                .agent(example.text("agent").orElse("default"))
                .earlier(count(example, "earlier"));
        return example.bool("in_doubt").orElse(false) ? call.inDoubt() : call;
    }

    private static ConfigException missing(ConfigTable table, String key) {
        return new ConfigException(Arrays.asList(table.problem("the key \"" + key + "\" is missing here")));
    }

    /** Makes a part of a rule; what is wrong with it is told with the place of its key. */
    private static <T> T at(ConfigTable table, String key, Supplier<T> part) {
        try {
            return part.get();
        } catch (ConfigException e) {
            throw e;
        } catch (BelayException e) {
            throw table.refused(key, String.valueOf(e.getMessage()));
        }
    }
}
