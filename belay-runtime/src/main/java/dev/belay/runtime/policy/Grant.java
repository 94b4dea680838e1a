package dev.belay.runtime.policy;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An approval that holds for further calls: those of one tool about which no other rules ask than the person was shown, in one session, under its
 * agent of that time. It does not count for another form of the tool or of a rule, and no fork, import or child has it.
 *
 * @param id which; the same for the same grant
 * @param agent of the session when it was given
 * @param tool the name of the tool
 * @param fingerprint of the tool when it was given
 * @param rules that the person was shown
 * @param turn the turn for which it holds, or null for the session
 * @param by who gave it
 * @param at when
 */
public record Grant(String id, String agent, String tool, String fingerprint, List<DecidingRule> rules,
        @Nullable Long turn, String by, Instant at) {

    /** Copies the rules. */
    public Grant {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(fingerprint, "fingerprint");
        rules = List.copyOf(rules);
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(at, "at");
    }

    /** A grant with the id that follows from what it is about. */
    public static Grant of(String agent, String tool, String fingerprint, List<DecidingRule> rules,
            @Nullable Long turn, String by, Instant at) {
        String id = new FramedHash().add("belay-grant-2")
                .add(agent)
                .add(tool)
                .add(fingerprint)
                .add(DecidingRule.toJson(rules))
                .add(turn == null ? 0 : turn)
                .hex()
                .substring(0, 16);
        return new Grant(id, agent, tool, fingerprint, rules, turn, by, at);
    }

    /** Whether it answers a rule that asks about a call. A call runs if each of its rules is answered. */
    public boolean covers(String ofAgent, String ofFingerprint, DecidingRule asking, long inTurn) {
        return agent.equals(ofAgent) && fingerprint.equals(ofFingerprint) && rules.contains(asking)
                && (turn == null || turn == inTurn);
    }

    /** Whether it answers a rule that asks about a call, whatever the turn and the form of the tool. */
    boolean isAbout(PolicyCall call, DecidingRule asking) {
        return agent.equals(call.agent()) && tool.equals(call.tool()) && rules.contains(asking);
    }

    /** The form in which it is stored. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("id").value(id).name("agent").value(agent).name("tool").value(tool);
            out.name("fingerprint").value(fingerprint).name("rules").value(DecidingRule.toJson(rules));
            if (turn != null) {
                out.name("turn").value(turn);
            }
            out.name("by").value(by).name("at").value(at.toString()).endObject();
        });
    }

    /** The grant of its stored form. */
    public static Grant of(Json stored) {
        return new Grant(text(stored, "id"), text(stored, "agent"), text(stored, "tool"),
                text(stored, "fingerprint"), DecidingRule.of(stored.get("rules").orElseThrow()),
                stored.get("turn").map(Json::asLong).orElse(null), text(stored, "by"),
                Instant.parse(text(stored, "at")));
    }

    private static String text(Json stored, String field) {
        return stored.get(field).orElseThrow().asString();
    }
}
