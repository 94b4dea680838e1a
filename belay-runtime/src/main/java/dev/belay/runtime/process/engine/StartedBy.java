package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session whose call starts a process, as the start records it: its policies decide about the process, also after it was deleted.
 *
 * @param session which
 * @param agent of the session at that time
 * @param turn of the call
 * @param above the sessions by which the session was made, the topmost first
 * @param gated whether the session or one above it has a policy
 */
public record StartedBy(SessionId session, String agent, long turn, List<Gating.Above> above, boolean gated) {

    private static final String SESSION = "session";
    private static final String AGENT = "agent";

    /** Copies the list. */
    public StartedBy {
        above = List.copyOf(above);
    }

    Json toJson() {
        return Json.write(out -> {
            out.beginObject().name(SESSION).value(session.value()).name(AGENT).value(agent);
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
                RecordReader.text(recorded, AGENT), RecordReader.field(recorded, "turn").asLong(),
                RecordReader.items(recorded, "above")
                        .stream()
                        .map(one -> new Gating.Above(RecordReader.text(one, SESSION),
                                RecordReader.optionalText(one, AGENT)))
                        .toList(),
                RecordReader.field(recorded, "gated").asBoolean());
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
        public boolean isInDoubt() {
            return sessions.isInDoubt(session);
        }
    }
}
