package dev.belay.runtime.dispatch.gate;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides last before a body runs. Thread-safe.
 *
 * @param agent whose calls
 * @param policies of all agents that are defined here, by their names; an agent that is not in it has none
 * @param agents the names of all agents that are defined here
 * @param mode what happens to calls about which a person is to be asked
 * @param expiry how long a request waits
 * @param holds how long an approval counts before the body begins
 */
public record Gate(String agent, Map<String, Policy> policies, Set<String> agents, ApprovalMode mode,
        Duration expiry, Duration holds) {

    /** How long a request waits unless it is set. */
    public static final Duration EXPIRY = Duration.ofDays(7);

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.policy");

    /** What a tool says that asks before each call. */
    private static final PolicyDecision DECLARED = new PolicyDecision(Verdict.ASK, null,
            "the tool asks before each call",
            "declared");

    /** For one agent with one policy. */
    public static Gate of(String agent, Policy policy, ApprovalMode mode, Duration expiry) {
        return new Gate(agent, Map.of(agent, policy), Set.of(agent), mode, expiry, expiry);
    }

    /** Whether its calls, or those of sessions that they make, are decided about by a policy. */
    public boolean isGated(Gating owner) {
        return policies.containsKey(agent) || owner.isGatedAbove();
    }

    /** The guard against repeating a call that does not work; empty if it may be made. */
    public Optional<ToolFailure> repeated(CallReference call, Gating owner) {
        return owner.failures(call) < PolicyCall.MOST_FAILURES
                ? Optional.empty()
                : Optional.of(new ToolFailure(ToolFailure.Kind.PERMISSION_DENIED, "repeat_guard",
                        "tool " + call.tool()
                                + " was called with the same arguments before in this turn, and was denied or failed "
                                + PolicyCall.MOST_FAILURES
                                + " times; it was not run again: change the arguments, do something else, or say that it does not work",
                        ToolFailure.Source.POLICY, RetryAdvice.NEVER));
    }

    /** Decides about a call with its final arguments; grants do not count. */
    public PolicyDecision decide(CallView call, Gating owner) {
        ToolManifest tool = call.tool();
        PolicyDecision decided = decide(agent, agent, call, owner);
        List<Gating.Above> above = new ArrayList<>(owner.above());
        String starter = owner.startedBy();
        if (starter != null) {
            above.add(new Gating.Above(String.valueOf(owner.session()), starter));
        }
        for (int i = 0; i < above.size(); i++) {
            decided = decided.orStricter(decide(above.get(i), names(above, i), call, owner));
        }
        return tool.approval() == Approval.ALWAYS ? decided.orStricter(DECLARED) : decided;
    }

    /** The agents of a session and of all that stand below it: a rule that names one of them is about their calls. */
    private Set<String> names(List<Gating.Above> above, int from) {
        Set<String> names = new LinkedHashSet<>();
        above.stream().skip(from).map(Gating.Above::agent).filter(Objects::nonNull).forEach(names::add);
        names.add(agent);
        return names;
    }

    /** What the policy of a session says about a call below it, whichever of the agents it takes it for. */
    private PolicyDecision decide(Gating.Above above, Set<String> names, CallView call, Gating owner) {
        String of = above.agent();
        if (of != null && agents.contains(of)) {
            PolicyDecision decided = PolicyDecision.ALLOW;
            for (String name : names) {
                if (!of.equals(agent) || !name.equals(agent)) { // else it was asked before
                    decided = decided.orStricter(decide(of, name, call, owner));
                }
            }
            return decided;
        }
        return owner.isGatedAbove()
                ? PolicyDecision.deny("unknown-policy", "session " + above.session() + " above "
                        + (of == null
                                ? "is not in this store"
                                : "has the agent \"" + of + "\", which is not defined here")
                        + ", so that its policy cannot be asked")
                : PolicyDecision.ALLOW;
    }

    private PolicyDecision decide(String of, String name, CallView call, Gating owner) {
        Policy policy = policies.get(of);
        if (policy == null) {
            return PolicyDecision.ALLOW;
        }
        ToolManifest tool = call.tool();
        try {
            return Objects
                    .requireNonNull(
                            policy.decide(new PolicyCall(name, owner.session(), tool.name(), tool.effect(),
                                    tool.tags(), call.arguments(), owner.above().size(),
                                    owner.earlier(call.call()), owner.failures(call.call()),
                                    new OwnerStanding(owner))),
                            "a policy returned null");
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            LOG.warn("The policy of agent {} threw at tool {}; the call is denied", of, tool.name(), e);
            return PolicyDecision.deny("policy-failed", "the check whether this call is allowed has failed");
        }
    }

    /** Reads once what a policy asks for. Confined to one decision. */
    private static final class OwnerStanding implements PolicyCall.Standing {

        private final Gating owner;
        private @Nullable List<Grant> grants;
        private @Nullable Boolean inDoubt;

        OwnerStanding(Gating owner) {
            this.owner = owner;
        }

        @Override
        public synchronized List<Grant> grants() {
            List<Grant> known = grants == null ? owner.grants() : grants;
            grants = known;
            return known;
        }

        @Override
        public synchronized boolean isInDoubt() {
            boolean known = inDoubt == null ? owner.isInDoubt() : inDoubt;
            inDoubt = known;
            return known;
        }
    }

    /**
     * The rules that ask about a call and are not answered: neither was the person shown them who approved it, nor does a grant of the session cover
     * them.
     *
     * @param shown to the person; empty before anybody was asked
     */
    public List<DecidingRule> unanswered(CallView call, String fingerprint, PolicyDecision decided,
            List<DecidingRule> shown, Gating owner) {
        List<DecidingRule> open = decided.verdict() == Verdict.ASK
                ? decided.rules().stream().filter(rule -> !shown.contains(rule)).toList()
                : List.of();
        if (open.isEmpty() || call.tool().approval() == Approval.ALWAYS) {
            return open;
        }
        List<Grant> grants = owner.grants();
        return open.stream()
                .filter(rule -> grants.stream()
                        .noneMatch(grant -> grant.covers(agent, fingerprint, rule, call.call().turn())))
                .toList();
    }

    /** Notes a decision in the log. */
    public static void log(PolicyDecision decided, CallReference call, boolean granted) {
        if (decided.verdict() == Verdict.DENY) {
            LOG.info("Denied tool {} (call {} of turn {}) by {}", call.tool(), call.id(), call.turn(),
                    decided.words());
        } else if (LOG.isDebugEnabled()) {
            LOG.debug("Allowed tool {} (call {} of turn {}) by {}", call.tool(), call.id(), call.turn(),
                    granted ? "a grant; it asks by " + decided.words() : decided.words());
        }
    }
}
