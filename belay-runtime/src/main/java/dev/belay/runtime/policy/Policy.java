package dev.belay.runtime.policy;

import java.util.List;

/**
 * Decides whether a call may run. A pure function: it reads nothing but the call, and gives the same decision each time. A policy that throws
 * or returns null denies the call. Called on the thread of the call, by many threads at once.
 */
@FunctionalInterface
public interface Policy {

    /** Allows everything; a tool that declares {@code Approval.ALWAYS} asks all the same. */
    Policy NONE = call -> PolicyDecision.ALLOW;

    /** Decides about a call with its final arguments. */
    PolicyDecision decide(PolicyCall call);

    /**
     * A policy of rules: the strictest that matches counts. Of those that deny or allow that is the first; of those that ask all count. A call
     * that no rule matches is allowed, unless {@link RulePolicy#otherwise} says more.
     *
     * @throws dev.belay.BelayException {@code invalid_policy} if two rules have one id, or an example contradicts its rule
     */
    static RulePolicy rules(PolicyRule... rules) {
        return rules(List.of(rules));
    }

    /** The same for a list of rules. */
    static RulePolicy rules(List<PolicyRule> rules) {
        return new RulePolicy(rules, PolicyDecision.Verdict.ALLOW);
    }
}
