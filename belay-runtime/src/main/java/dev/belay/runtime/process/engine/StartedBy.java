package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session whose call starts a process, as the start records it: its policies decide about the process, also after it was deleted.
 *
 * @param session which
 * @param family of the session: a call in doubt in it guards the calls of the process
 * @param agent of the session at that time
 * @param turn of the call
 * @param above the sessions by which the session was made, the topmost first
 * @param gated whether the session or one above it has a policy
 * @param counts of the call that the process makes
 */
public record StartedBy(SessionId session, String family, String agent, long turn, List<Gating.Above> above,
        boolean gated, Counts counts) {

    /**
     * What counts for the call of a process until the turn is committed that has started it. Fixed by the start.
     *
     * @param earlier how many calls of the same tool stood before it in the turn
     * @param failures how often the same call was denied or had failed in the turn
     */
    public record Counts(int earlier, int failures) {

        /** Of a process that makes no call, and of the first one in a turn. */
        public static final Counts NONE = new Counts(0, 0);
    }

    private static final String SESSION = "session";
    private static final String AGENT = "agent";
    private static final String FAMILY = "family";
    private static final String EARLIER = "earlier";
    private static final String FAILURES = "failures";

    /** Copies the list. */
    public StartedBy {
        above = List.copyOf(above);
    }

    Json toJson() {
        return Json.write(out -> {
            out.beginObject().name(SESSION).value(session.value()).name(AGENT).value(agent);
            out.name(FAMILY).value(family);
            if (!counts.equals(Counts.NONE)) {
                out.name(EARLIER).value(counts.earlier()).name(FAILURES).value(counts.failures());
            }
            out.name("turn").value(turn).name("gated").value(gated).name("above").beginArray();
            for (Gating.Above one : above) {
                out.beginObject().name(SESSION).value(one.session());
                String of = one.agent();
                if (of != null) {
                    out.name(AGENT).value(of);
                }
                out.endObject();
            }
            out.endArray().endObject();
        });
    }

    static StartedBy of(Json recorded) {
        return new StartedBy(new SessionId(RecordReader.text(recorded, SESSION)),
                RecordReader.text(recorded, FAMILY), RecordReader.text(recorded, AGENT),
                RecordReader.field(recorded, "turn").asLong(),
                RecordReader.items(recorded, "above")
                        .stream()
                        .map(one -> new Gating.Above(RecordReader.text(one, SESSION),
                                RecordReader.optionalText(one, AGENT)))
                        .toList(),
                RecordReader.field(recorded, "gated").asBoolean(),
                new Counts(count(recorded, EARLIER), count(recorded, FAILURES)));
    }

    private static int count(Json recorded, String of) {
        return recorded.get(of).map(Json::asInt).orElse(0);
    }

    /** Where the calls of a process belong. */
    static CallOwner.Lineage lineage(@Nullable StartedBy by) {
        return by == null ? CallOwner.Lineage.NONE : new CallOwner.Lineage(by.session.value(), by.family);
    }

    /** What a gate may know of a process; it has no grants. */
    static Gating gating(@Nullable StartedBy by, SessionWork sessions) {
        return by == null ? Gating.NONE : by.new Gated(sessions);
    }

    private final class Gated implements Gating {

        private final SessionWork sessions;

        Gated(SessionWork sessions) {
            this.sessions = sessions;
        }

        @Override
        public String session() {
            return session.value();
        }

        @Override
        public List<Above> above() {
            return above;
        }

        @Override
        public boolean isGatedAbove() {
            return gated;
        }

        @Override
        public String startedBy() {
            return agent;
        }

        @Override
        public boolean isTaken(String tool) {
            return !sessions.allows(StartedBy.this, tool);
        }

        @Override
        public int earlier(CallReference call) {
            return sessions.isCommitted(StartedBy.this) ? 0 : counts.earlier();
        }

        @Override
        public int failures(CallReference call) {
            return sessions.isCommitted(StartedBy.this) ? 0 : counts.failures();
        }

        @Override
        public boolean isInDoubt() {
            return sessions.isInDoubt(session);
        }
    }
}
