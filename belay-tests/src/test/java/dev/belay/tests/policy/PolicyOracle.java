package dev.belay.tests.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says which calls must not run. It knows the pages on policies and approvals, and nothing of the code. Guarded by itself. */
final class PolicyOracle {

    /** A rule about amounts in a range and about texts that begin with another. */
    record Rule(String verdict, String id, int least, int most, String to) {
        boolean matches(Paid call) {
            return call.amount() >= least && call.amount() <= most && call.to().startsWith(to);
        }
    }

    record Rules(List<Rule> rules, boolean otherwiseAsks) {

        /** What asks where none of these rules matches. */
        Rule otherwise() {
            return new Rule("ask", "no rule of " + rules, -1, 99, "");
        }
    }

    record Paid(int amount, String to) {}

    /** What a person has approved: a call with these arguments, by these rules. */
    record Approved(Paid paid, Set<Rule> shown) {}

    /** For one turn, or for all of them if that is 0. */
    record Granted(Set<Rule> shown, long turn) {}

    final Map<String, Rules> inForce = new HashMap<>();
    final Map<String, List<String>> agentsAbove = new HashMap<>(); // by session, its own last
    final Map<String, Approved> approved = new HashMap<>(); // by call
    final Map<String, List<Granted>> granted = new HashMap<>(); // by session

    /** The rules that ask about a call; null if one denies it. */
    synchronized @Nullable Set<Rule> asking(String session, Paid paid) {
        Set<Rule> asking = new LinkedHashSet<>();
        for (String agent : Objects.requireNonNull(agentsAbove.get(session))) {
            Rules rules = Objects.requireNonNull(inForce.get(agent));
            List<Rule> matching = rules.rules().stream().filter(rule -> rule.matches(paid)).toList();
            if (matching.stream().anyMatch(rule -> rule.verdict().equals("deny"))) {
                return null;
            }
            matching.stream().filter(rule -> rule.verdict().equals("ask")).forEach(asking::add);
            if (matching.isEmpty() && rules.otherwiseAsks()) {
                asking.add(rules.otherwise());
            }
        }
        return asking;
    }

    /** The rules that ask about a call that none denies, and that no answer covers. */
    synchronized Set<Rule> unanswered(String session, long turn, String call, Paid paid) {
        Set<Rule> open = new LinkedHashSet<>(asking(session, paid));
        Approved answer = approved.get(call);
        if (answer != null && answer.paid().equals(paid)) {
            open.removeAll(answer.shown());
        }
        for (Granted grant : granted.getOrDefault(session, new ArrayList<>())) {
            if (grant.turn() == 0 || grant.turn() == turn) {
                open.removeAll(grant.shown());
            }
        }
        return open;
    }
}
