package dev.belay.runtime.policy;

import dev.belay.json.Json;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that can be about calls of one tool and agent, the strictest first: a call costs only the conditions that a tool does not answer. Each
 * pointer has a place, so that a decision reads a value once, however many rules ask for it. Ranges of whole numbers stand in arrays: a rule whose
 * range a number misses is passed over without a look at the rule, which is seldom in the caches of the processor. Immutable and thread-safe.
 */
final class Candidates {

    /** The place of a rule without a range. */
    private static final int NONE = -1;

    private final Candidate[] all;
    private final Pointer[] pointers;
    /** For each rule: the place of the value that a range of it is about, and the bounds of that range. */
    private final int[] ranged;
    private final long[] least;
    private final long[] most;

    /**
     * Where rules look.
     *
     * @param text as a rule has it
     * @param field the field of the arguments that it names, without the work to read a pointer; null if it leads further
     */
    private record Pointer(String text, @Nullable String field) {

        static Pointer of(String text) {
            boolean isField = text.lastIndexOf('/') == 0 && text.indexOf('~') < 0;
            return new Pointer(text, isField ? text.substring(1) : null);
        }

        Match.Value in(Json arguments) {
            return field == null || arguments.kind() != Json.Kind.OBJECT
                    ? Match.Value.at(text, arguments)
                    : new Match.Value(arguments.get(field).orElse(null));
        }
    }

    /** A rule with its conditions on the arguments: the places of their pointers, and what the values there must be. */
    private static final class Candidate {

        private final PolicyRule rule;
        private final int[] places;
        private final Match[] matches;

        Candidate(PolicyRule rule, int[] places, Match[] matches) {
            this.rule = rule;
            this.places = places;
            this.matches = matches;
        }

        boolean holds(PolicyCall call, Values values) {
            for (int i = 0; i < matches.length; i++) {
                if (!matches[i].holds(values.at(places[i]))) {
                    return false;
                }
            }
            return rule.isInPlace(call);
        }
    }

    private Candidates(Candidate[] all, Pointer[] pointers) {
        this.all = all;
        this.pointers = pointers;
        ranged = new int[all.length];
        least = new long[all.length];
        most = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            ranged[i] = NONE;
            for (int j = 0; j < all[i].matches.length && ranged[i] == NONE; j++) {
                Match.Span whole = all[i].matches[j].whole();
                if (whole != null) {
                    ranged[i] = all[i].places[j];
                    least[i] = whole.least();
                    most[i] = whole.most();
                }
            }
        }
    }

    /** Those of a policy that fit the tool and the agent of a call. */
    static Candidates of(List<PolicyRule> rules, PolicyCall call) {
        List<PolicyRule> fitting = new ArrayList<>();
        for (PolicyRule rule : rules) {
            if (rule.fits(call)) {
                fitting.add(rule);
            }
        }
        fitting.sort(Comparator.comparing(PolicyRule::verdict).reversed());
        Map<String, Integer> pointers = new LinkedHashMap<>();
        List<Candidate> all = new ArrayList<>();
        Verdict reached = null; // by every call that comes so far
        for (PolicyRule rule : fitting) {
            if (reached != null && (reached != Verdict.ASK || rule.verdict() != Verdict.ASK)) {
                break;
            }
            all.add(candidate(rule, pointers));
            reached = rule.isAboutAll() ? rule.verdict() : reached;
        }
        return new Candidates(all.toArray(Candidate[]::new),
                pointers.keySet().stream().map(Pointer::of).toArray(Pointer[]::new));
    }

    private static Candidate candidate(PolicyRule rule, Map<String, Integer> pointers) {
        List<PolicyRule.Where> values = rule.values();
        int[] places = new int[values.size()];
        Match[] matches = new Match[values.size()];
        for (int i = 0; i < matches.length; i++) {
            places[i] = pointers.computeIfAbsent(values.get(i).pointer(), pointer -> pointers.size());
            matches[i] = values.get(i).match();
        }
        return new Candidate(rule, places, matches);
    }

    /** What the strictest rules decide that match a call: the first of them, or all that ask; null if none matches. */
    @Nullable
    PolicyDecision decide(PolicyCall call) {
        Values values = new Values(call.arguments(), pointers);
        PolicyDecision asked = null;
        List<DecidingRule> more = List.of();
        for (int i = 0; i < all.length; i++) {
            PolicyRule rule = all[i].rule;
            if (asked != null && rule.verdict() != Verdict.ASK) {
                break;
            }
            if (isOutOfRange(i, values) || !all[i].holds(call, values)) {
                continue;
            }
            if (rule.verdict() != Verdict.ASK) {
                return rule.decision();
            }
            if (asked == null) {
                asked = rule.decision();
            } else {
                more = more.isEmpty() ? new ArrayList<>(asked.rules()) : more;
                more.addAll(rule.decision().rules());
            }
        }
        return more.isEmpty() ? asked : new PolicyDecision(Verdict.ASK, more);
    }

    private boolean isOutOfRange(int rule, Values values) {
        int place = ranged[rule];
        return place != NONE && values.at(place).isOutside(least[rule], most[rule]);
    }

    /** Values of the arguments of one call, read when a rule asks for them. Confined to one decision. */
    private static final class Values {

        private final Json arguments;
        private final Pointer[] pointers;
        private final Match.@Nullable Value[] read;

        Values(Json arguments, Pointer[] pointers) {
            this.arguments = arguments;
            this.pointers = pointers;
            this.read = new Match.Value[pointers.length];
        }

        Match.Value at(int place) {
            Match.Value known = read[place];
            if (known == null) {
                known = pointers[place].in(arguments);
                read[place] = known;
            }
            return known;
        }
    }
}
