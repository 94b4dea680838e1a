package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.tool.context.Incarnation;

/**
 * Where a turn begins, as its scope was given it.
 *
 * @param session whose
 * @param incarnation of the session
 * @param turn its number
 * @param inputId of the input that started it
 * @param input what was said
 */
public record TurnStart(SessionId session, Incarnation incarnation, long turn, String inputId,
        TurnInput input) {

    public static TurnStart of(ScopeInput scope) {
        Json recorded = scope.value();
        return Recorded.read("start of a turn", recorded, () -> {
            Recorded.version("start of a turn", recorded);
            return new TurnStart(new SessionId(Recorded.text(recorded, "session")),
                    Incarnation.parse(Recorded.text(recorded, "incarnation")),
                    Recorded.field(recorded, "turn").asLong(), Recorded.text(recorded, "input"),
                    TurnInput.of(Recorded.field(recorded, "content")));
        });
    }

    public ScopeId scope() {
        return TurnScope.id(incarnation, turn);
    }
}
