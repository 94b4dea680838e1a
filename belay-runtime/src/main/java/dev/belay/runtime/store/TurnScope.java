package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.Incarnation;

/** The scope of a turn: how it is named and what it starts from. Its form is pinned by golden files. */
public final class TurnScope {

    /** The kind of its input. */
    public static final String KIND = "turn/1";

    private TurnScope() {}

    /** The scope of a turn. Named after the incarnation, so that a session that is made again has scopes of its own. */
    public static ScopeId id(Incarnation session, long turn) {
        return new ScopeId(prefix(session) + turn);
    }

    /** What the scopes of all turns of a session begin with. */
    public static String prefix(Incarnation session) {
        return "turn/" + session + "/";
    }

    /** What a turn starts from. */
    public static ScopeInput input(SessionId session, Incarnation incarnation, long turn, Arrival first) {
        return new ScopeInput(KIND, Json.write(out -> {
            out.beginObject().name("v").value(1);
            out.name("session").value(session.value());
            out.name("incarnation").value(incarnation.toString());
            out.name("turn").value(turn);
            out.name("input").value(first.id());
            out.name("content").value(first.content()).endObject();
        }));
    }
}
