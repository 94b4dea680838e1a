package dev.belay.runtime.policy;

import dev.belay.json.FramedHash;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a policy decides about a call.
 *
 * @param verdict allow, ask or deny
 * @param rules that decided, at least one; all that ask if a person is asked
 */
public record PolicyDecision(Verdict verdict, List<DecidingRule> rules) {

    /** What happens to a call, from the mildest to the strictest. */
    public enum Verdict {
        /** It runs. */
        ALLOW,
        /** A person is asked. */
        ASK,
        /** It does not run. */
        DENY
    }

    /** Allows a call that no rule is about. */
    public static final PolicyDecision ALLOW = new PolicyDecision(Verdict.ALLOW, null, "", "");

    /** Copies the rules. */
    public PolicyDecision {
        Objects.requireNonNull(verdict, "verdict");
        rules = List.copyOf(rules);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("a decision has at least one rule, found none");
        }
    }

    /** A decision by one rule, or by none for null. */
    public PolicyDecision(Verdict verdict, @Nullable String rule, String reason, String hash) {
        this(verdict, List.of(new DecidingRule(rule, reason, hash)));
    }

    /** Asks a person, by a rule of this name. */
    public static PolicyDecision ask(String rule, String reason) {
        return of(Verdict.ASK, rule, reason);
    }

    /** Denies, by a rule of this name. */
    public static PolicyDecision deny(String rule, String reason) {
        return of(Verdict.DENY, rule, reason);
    }

    private static PolicyDecision of(Verdict verdict, String rule, String reason) {
        return new PolicyDecision(verdict, Objects.requireNonNull(rule, "rule"), reason,
                new FramedHash().add("belay-decision-1").add(rule).add(reason).hex());
    }

    /** The stricter of two. Two that ask are one by the rules of both; else this one if both are equally strict. */
    public PolicyDecision orStricter(PolicyDecision other) {
        if (verdict == Verdict.ASK && other.verdict == Verdict.ASK) {
            return new PolicyDecision(Verdict.ASK,
                    Stream.concat(rules.stream(), other.rules.stream()).distinct().toList());
        }
        return other.verdict.compareTo(verdict) > 0 ? other : this;
    }

    /** The names of the rules, parted by commas; null if none has one. */
    public @Nullable String rule() {
        return DecidingRule.names(rules);
    }

    /** The rules and their reasons, in words. */
    public String words() {
        return rules.stream().map(DecidingRule::words).collect(Collectors.joining("; "));
    }
}
