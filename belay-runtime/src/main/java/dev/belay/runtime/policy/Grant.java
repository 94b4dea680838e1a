package dev.belay.runtime.policy;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An approval that holds for further calls: those of one tool about which one rule asks, in one session, under its agent of that time. It does
 * not count for another form of the tool or of the rule, and no fork, import or child has it.
 *
 * @param id which; the same for the same grant
 * @param agent of the session when it was given
 * @param tool the name of the tool
 * @param fingerprint of the tool when it was given
 * @param rule the rule that asked, or empty if none did
 * @param hash of that rule
 * @param turn the turn for which it holds, or null for the session
 * @param by who gave it
 * @param at when
 */
public record Grant(String id, String agent, String tool, String fingerprint, String rule, String hash,
        @Nullable Long turn, String by, Instant at) {

    /** Refuses null. */
    public Grant {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(at, "at");
    }

    /** A grant with the id that follows from what it is about. */
    public static Grant of(String agent, String tool, String fingerprint, String rule, String hash,
            @Nullable Long turn, String by, Instant at) {
        String id = new FramedHash().add("belay-grant-1")
                .add(agent)
                .add(tool)
                .add(fingerprint)
                .add(rule)
                .add(hash)
                .add(turn == null ? 0 : turn)
                .hex()
                .substring(0, 16);
        return new Grant(id, agent, tool, fingerprint, rule, hash, turn, by, at);
    }

    /** Whether it covers a call about which a rule asks. */
    public boolean covers(String ofAgent, String ofFingerprint, PolicyDecision asked, long inTurn) {
        return agent.equals(ofAgent) && fingerprint.equals(ofFingerprint) && isOf(asked)
                && (turn == null || turn == inTurn);
    }

    /** Whether it is about a call for which a rule asks, whatever the turn and the form of the tool. */
    boolean isAbout(PolicyCall call, PolicyDecision asked) {
        return agent.equals(call.agent()) && tool.equals(call.tool()) && isOf(asked);
    }

    private boolean isOf(PolicyDecision asked) {
        return rule.equals(asked.rule() == null ? "" : asked.rule()) && hash.equals(asked.hash());
    }

    /** The form in which it is stored. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("id").value(id).name("agent").value(agent).name("tool").value(tool);
            out.name("fingerprint").value(fingerprint).name("rule").value(rule).name("hash").value(hash);
            if (turn != null) {
                out.name("turn").value(turn);
            }
            out.name("by").value(by).name("at").value(at.toString()).endObject();
        });
    }

    /** The grant of its stored form. */
    public static Grant of(Json stored) {
        return new Grant(text(stored, "id"), text(stored, "agent"), text(stored, "tool"),
                text(stored, "fingerprint"), text(stored, "rule"), text(stored, "hash"),
                stored.get("turn").map(Json::asLong).orElse(null), text(stored, "by"),
                Instant.parse(text(stored, "at")));
    }

    private static String text(Json stored, String field) {
        return stored.get(field).orElseThrow().asString();
    }
}
