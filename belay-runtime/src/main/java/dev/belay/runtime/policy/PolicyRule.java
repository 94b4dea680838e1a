package dev.belay.runtime.policy;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.tool.ToolEffect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a policy: what it says, and about which calls. A call matches if it fits every condition that the rule has; a rule without
 * conditions matches all calls. Immutable: each method gives a new rule.
 */
public final class PolicyRule {

    private final Verdict verdict;
    private final String id;
    private final String reason;
    private final Conditions when;
    private final List<PolicyCall> matching;
    private final List<PolicyCall> others;
    private final PolicyDecision decision;

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_./*?:@~+\\-]+");
    private static final Pattern PLAIN_MATCH = Pattern
            .compile("(?!.* (and|where) )[A-Za-z0-9_./*?:@~+\\[\\](), \\-]+(\"[^\"\\\\]*\")?");

    /**
     * What a call must fit.
     *
     * @param tools one of these names; empty for any
     * @param agents one of these names; empty for any
     * @param tags one of these; empty for any
     * @param effects one of these; empty for any
     * @param earlier how many calls of the tool stand before it in its turn, at least
     * @param inDoubt whether its session must have unsettled doubts
     * @param values what values of the arguments must be; all of them
     */
    private record Conditions(List<Glob> tools, List<Glob> agents, List<String> tags,
            List<ToolEffect> effects,
            int earlier, boolean inDoubt, List<Where> values) {

        static final Conditions NONE = new Conditions(List.of(), List.of(), List.of(), List.of(), 0,
                false, List.of());

        /** All of it; conditions that differ have other hashes, whatever characters they hold. */
        String framed() {
            var hash = new FramedHash();
            for (List<?> names : List.of(tools, agents, tags, effects)) {
                hash.add(names.size());
                names.forEach(name -> hash.add(name.toString()));
            }
            hash.add(earlier).add(inDoubt ? 1 : 0).add(values.size());
            values.forEach(value -> hash.add(value.pointer()).add(value.match().toString()));
            return hash.hex();
        }
    }

    /**
     * A condition on the arguments.
     *
     * @param pointer where
     * @param match what
     */
    record Where(String pointer, Match match) {}

    private PolicyRule(Verdict verdict, String id, String reason, Conditions when, List<PolicyCall> matching,
            List<PolicyCall> others) {
        this.verdict = verdict;
        this.id = id;
        this.reason = reason;
        this.when = when;
        this.matching = matching;
        this.others = others;
        this.decision = new PolicyDecision(verdict, id, reason, new FramedHash().add("belay-rule-1")
                .add(verdict.name())
                .add(id)
                .add(reason)
                .add(when.framed())
                .hex());
    }

    /** A rule that lets calls run. */
    public static PolicyRule allow(String id) {
        return of(Verdict.ALLOW, id);
    }

    /** A rule that asks a person. */
    public static PolicyRule ask(String id) {
        return of(Verdict.ASK, id);
    }

    /** A rule that denies calls. */
    public static PolicyRule deny(String id) {
        return of(Verdict.DENY, id);
    }

    /**
     * A rule of any sort.
     *
     * @param id its name, for the log, for grants and for people: 1 to 100 letters, digits, {@code . _ -}
     */
    public static PolicyRule of(Verdict verdict, String id) {
        if (!id.matches("[a-zA-Z0-9._-]{1,100}")) {
            throw new BelayException("invalid_policy",
                    "a rule is named by 1 to 100 letters, digits, . _ and -, found \""
                            + ShownText.escaped(id) + "\"");
        }
        return new PolicyRule(Objects.requireNonNull(verdict, "verdict"), id, "", Conditions.NONE, List.of(),
                List.of());
    }

    /** Calls of tools whose names one of these patterns matches. */
    public PolicyRule tools(String... patterns) {
        return with(new Conditions(more(when.tools, Stream.of(patterns).map(Glob::ofNames)), when.agents,
                when.tags,
                when.effects, when.earlier, when.inDoubt, when.values));
    }

    /** Calls of agents whose names one of these patterns matches. */
    public PolicyRule agents(String... patterns) {
        return with(new Conditions(when.tools, more(when.agents, Stream.of(patterns).map(Glob::ofNames)),
                when.tags,
                when.effects, when.earlier, when.inDoubt, when.values));
    }

    /** Calls of tools that have one of these tags. */
    public PolicyRule tags(String... tags) {
        return with(new Conditions(when.tools, when.agents, more(when.tags, Stream.of(tags)), when.effects,
                when.earlier, when.inDoubt, when.values));
    }

    /** Calls of tools with one of these effects. */
    public PolicyRule effects(ToolEffect... effects) {
        return with(new Conditions(when.tools, when.agents, when.tags, more(when.effects, Stream.of(effects)),
                when.earlier, when.inDoubt, when.values));
    }

    /** Calls that stand behind at least so many other calls of their tool in the same turn. */
    public PolicyRule afterCalls(int earlier) {
        return with(new Conditions(when.tools, when.agents, when.tags, when.effects, earlier, when.inDoubt,
                when.values));
    }

    /** Calls of sessions in which other calls may have happened and are not settled. */
    public PolicyRule inDoubt() {
        return with(new Conditions(when.tools, when.agents, when.tags, when.effects, when.earlier, true,
                when.values));
    }

    /**
     * Calls with such a value in their final arguments; several conditions must all hold.
     *
     * @param pointer where, as an RFC 6901 JSON pointer such as {@code /order/amount}
     */
    public PolicyRule where(String pointer, Match match) {
        try {
            Json.EMPTY_OBJECT.at(pointer);
        } catch (IllegalArgumentException e) {
            throw new BelayException("invalid_policy", "\"" + ShownText.escaped(pointer)
                    + "\" is no JSON pointer; it begins with /, such as /order/amount", e);
        }
        return with(new Conditions(when.tools, when.agents, when.tags, when.effects, when.earlier,
                when.inDoubt, more(when.values, Stream.of(new Where(pointer, match)))));
    }

    /** Why: shown to the person who is asked, and to the model whose call is denied. */
    public PolicyRule reason(String words) {
        return new PolicyRule(verdict, id, words, when, matching, others);
    }

    /** Calls that this rule must match; checked when the policy is made. */
    public PolicyRule matching(PolicyCall... examples) {
        return new PolicyRule(verdict, id, reason, when, more(matching, Stream.of(examples)), others);
    }

    /** Calls that this rule must not match; checked when the policy is made. */
    public PolicyRule notMatching(PolicyCall... examples) {
        return new PolicyRule(verdict, id, reason, when, matching, more(others, Stream.of(examples)));
    }

    private PolicyRule with(Conditions conditions) {
        return new PolicyRule(verdict, id, reason, conditions, matching, others);
    }

    private static <T> List<T> more(List<T> some, Stream<? extends T> others) {
        var all = new ArrayList<T>(some);
        others.forEach(all::add);
        return List.copyOf(all);
    }

    /** Its name. */
    public String id() {
        return id;
    }

    /** What it says. */
    public Verdict verdict() {
        return verdict;
    }

    /** Over everything that it says, but for its examples. */
    String hash() {
        return decision.rules().getFirst().hash();
    }

    /** What it decides about calls that it matches. */
    public PolicyDecision decision() {
        return decision;
    }

    /** The calls that it is about, in words: {@code calls of write_file where /path prefix prod/}. */
    public String about() {
        var words = new StringBuilder("calls");
        words.append(among(" of ", when.tools)).append(among(" by the agents ", when.agents));
        words.append(among(" tagged ", when.tags)).append(among(" with the effects ", when.effects));
        if (when.earlier > 0) {
            words.append(" after ").append(when.earlier).append(" calls of their tool in the turn");
        }
        if (when.inDoubt) {
            words.append(" while calls are in doubt");
        }
        String before = " where ";
        for (Where where : when.values) {
            words.append(before)
                    .append(plain(where.pointer(), PLAIN_NAME))
                    .append(' ')
                    .append(plain(where.match().toString(), PLAIN_MATCH));
            before = " and ";
        }
        return words.length() == "calls".length() ? "all calls" : words.toString();
    }

    private static String among(String before, List<?> names) {
        return names.isEmpty()
                ? ""
                : before + names.stream()
                        .map(name -> plain(name.toString(), PLAIN_NAME))
                        .collect(Collectors.joining(", "));
    }

    /** Quoted if it could pass for other words of the sentence. */
    private static String plain(String text, Pattern unquoted) {
        return unquoted.matcher(text).matches() ? text : Json.string(text).text();
    }

    /** Whether it matches a call. */
    public boolean matches(PolicyCall call) {
        return fits(call) && isInPlace(call) && when.values.stream()
                .allMatch(where -> where.match().holds(Match.Value.at(where.pointer(), call.arguments())));
    }

    /** Whether a call fits the conditions that its tool and its agent answer, whatever its arguments and its place. */
    boolean fits(PolicyCall call) {
        return isOneOf(when.tools, call.tool()) && isOneOf(when.agents, call.agent())
                && (when.tags.isEmpty() || !Collections.disjoint(when.tags, call.tags()))
                && (when.effects.isEmpty() || when.effects.contains(call.effect()));
    }

    private static boolean isOneOf(List<Glob> names, String name) {
        for (Glob glob : names) {
            if (glob.matches(name)) {
                return true;
            }
        }
        return names.isEmpty();
    }

    /** Conditions on the arguments of calls that {@linkplain #fits fit}. */
    List<Where> values() {
        return when.values;
    }

    /** Whether the turn and the session of a call are as the rule asks. */
    boolean isInPlace(PolicyCall call) {
        return call.earlier() >= when.earlier && (!when.inDoubt || call.standing().isInDoubt());
    }

    /** Whether it matches all calls that {@linkplain #fits fit}. */
    boolean isAboutAll() {
        return when.values.isEmpty() && when.earlier <= 0 && !when.inDoubt;
    }

    /** The first example that it contradicts, in words; null if there is none. */
    public @Nullable String contradiction() {
        for (PolicyCall example : matching) {
            if (!matches(example)) {
                return "rule \"" + id + "\" does not match its example " + example.tool() + " "
                        + ShownText.escaped(example.arguments().compact());
            }
        }
        for (PolicyCall example : others) {
            if (matches(example)) {
                return "rule \"" + id + "\" matches " + example.tool() + " "
                        + ShownText.escaped(example.arguments().compact()) + ", which it must not";
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return verdict + " " + id + " (" + when + ")";
    }
}
