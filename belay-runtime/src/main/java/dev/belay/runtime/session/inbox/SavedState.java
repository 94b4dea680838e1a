package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.KeepRules;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.Incarnation;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state that the turns of a session have left beside messages, as it is committed; pinned by golden files. What was never set is
 * not written.
 *
 * @param tools what was decided about tools, or null for nothing
 * @param settings what was set for the session
 * @param plugins the states of plugins, or null for none
 * @param outputs whether outputs of its calls were kept whole, so that the model is offered the tools that read them
 * @param history what was decided about the history, or null for nothing
 */
public record SavedState(@Nullable Json tools, TurnSettings settings, @Nullable Json plugins,
        boolean outputs, @Nullable Json history) {

    /** The state of a session; {@code journal_corrupt} if it is none. */
    public static SavedState of(Json state) {
        if (state.isNull()) {
            return new SavedState(null, TurnSettings.NONE, null, false, null);
        }
        return RecordReader.read("state of a session", state, () -> {
            RecordReader.version("state of a session", state);
            return new SavedState(state.get("tools").orElse(null),
                    state.get("settings").map(TurnSettings::of).orElse(TurnSettings.NONE),
                    state.get("plugins").orElse(null), state.get("outputs").isPresent(),
                    state.get("history").orElse(null));
        });
    }

    /** What the state of a turn says about the history; null for nothing. */
    public static @Nullable Json historyIn(Store store, SessionId session, long turn) {
        return store.read(SessionReads.turn(session, turn))
                .map(TurnRow::end)
                .map(TurnRow.End::state)
                .map(state -> of(state).history())
                .orElse(null);
    }

    /** Reads values of states that a session keeps by content. */
    public static Function<Attachments.Reference, Optional<byte[]>> contents(Store store,
            Incarnation session) {
        return reference -> store.read(KeepRules.kept(TurnScope.prefix(session), reference));
    }

    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            if (tools != null) {
                out.name("tools").value(tools);
            }
            if (!settings.equals(TurnSettings.NONE)) {
                out.name("settings").value(settings.toJson());
            }
            if (plugins != null) {
                out.name("plugins").value(plugins);
            }
            if (outputs) {
                out.name("outputs").value(true);
            }
            if (history != null) {
                out.name("history").value(history);
            }
            out.endObject();
        });
    }
}
