package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.MdcCarrier;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Objects;

/**
 * Where a turn begins, as its scope was given it.
 *
 * @param session whose
 * @param incarnation of the session
 * @param turn its number
 * @param inputId of the input that started it
 * @param input what was said
 * @param agent which answers it
 */
public record TurnStart(SessionId session, Incarnation incarnation, long turn, String inputId,
        TurnInput input, String agent) {

    public static TurnStart of(ScopeInput scope) {
        Json recorded = scope.value();
        return RecordReader.versioned("start of a turn", recorded, () -> {
            return new TurnStart(new SessionId(RecordReader.text(recorded, "session")),
                    Incarnation.parse(RecordReader.text(recorded, "incarnation")),
                    RecordReader.field(recorded, "turn").asLong(), RecordReader.text(recorded, "input"),
                    TurnInput.of(RecordReader.field(recorded, "content")),
                    TurnScope.agent(scope.kind())
                            .orElseGet(() -> Objects.requireNonNullElse(
                                    RecordReader.optionalText(recorded, TurnScope.AGENT),
                                    SessionProfile.DEFAULT_AGENT)));
        });
    }

    /** Names the turn in lines that are logged. */
    public Map<String, String> marks() {
        return Map.of(MdcCarrier.SESSION, session.value(), MdcCarrier.TURN, Long.toString(turn));
    }

    public ScopeId scope() {
        return TurnScope.id(incarnation, turn);
    }
}
