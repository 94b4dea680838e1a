package dev.belay.runtime.policy;

import dev.belay.json.FramedHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a policy decides about a call.
 *
 * @param verdict allow, ask or deny
 * @param rule the id of the rule that decided, or null if none matched
 * @param reason why, for people, and for the model if the call is denied; may be empty
 * @param hash of the rule: a grant that was given under another form of the rule does not count
 */
public record PolicyDecision(Verdict verdict, @Nullable String rule, String reason, String hash) {

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

    /** Refuses null. */
    public PolicyDecision {
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(hash, "hash");
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

    /** The stricter of two; this one if both are equally strict. */
    public PolicyDecision orStricter(PolicyDecision other) {
        return other.verdict.compareTo(verdict) > 0 ? other : this;
    }

    /** The rule and its reason, in words. */
    public String words() {
        String by = rule == null ? "no rule" : "rule \"" + rule + "\"";
        return reason.isEmpty() ? by : by + ": " + reason;
    }
}
