package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.TurnControl;
import java.util.function.Consumer;

/** Reasons a turn stops without an answer, each with its evidence. */
public final class TurnStops {

    private static final String CONTEXT_TOO_LONG = "context_too_long";

    private TurnStops() {}

    public static TurnEnd cancelled(String reason) {
        return stopped(TurnEnd.Cause.CANCELLED, "the turn was cancelled: " + reason,
                out -> out.name("reason").value(reason, RecordReader.HALF));
    }

    /** A bound was reached. */
    static TurnEnd bound(TurnEnd.Cause cause, String message, String unit, long count) {
        return stopped(cause, message, out -> out.name(unit).value(count));
    }

    /** The model gave no usable answer. */
    static TurnEnd provider(String code, String message, String partial) {
        return stopped(TurnEnd.Cause.PROVIDER_ERROR, message, out -> {
            out.name("code").value(code);
            if (!partial.isEmpty()) {
                out.name("partial").value(partial, RecordReader.HALF);
            }
        });
    }

    /** The model is not asked, because it could not read the request. */
    static TurnEnd tooLong(long estimate, long limit) {
        return stopped(TurnEnd.Cause.PROVIDER_ERROR, ModelChoice.tooLong(estimate, limit),
                out -> out.name("code")
                        .value(CONTEXT_TOO_LONG)
                        .name("estimate")
                        .value(estimate)
                        .name("limit")
                        .value(limit));
    }

    /** A plugin ends the turn, or one of its hooks has failed. */
    static TurnEnd plugin(TurnHooked.Stop stop) {
        return stopped(TurnEnd.Cause.PLUGIN_ABORT, stop.reason(),
                out -> out.name("plugin").value(stop.plugin()).name("code").value(stop.code()));
    }

    /** A call wants to end the turn. */
    static TurnEnd tool(TurnControl control, String tool, ToolOutcome outcome) {
        if (control == TurnControl.FINISH && outcome instanceof ToolOutcome.Success(Json value)) {
            return new TurnEnd.Finished("", value);
        }
        return stopped(TurnEnd.Cause.TOOL_ERROR, "tool " + tool + " ended the turn: " + outcome.text(),
                out -> out.name("tool").value(tool).name("code").value(outcome.code().orElse("")));
    }

    static TurnEnd stopped(TurnEnd.Cause cause, String message, Consumer<JsonWriter> evidence) {
        return new TurnEnd.Stopped(cause, message, Json.write(out -> {
            out.beginObject();
            evidence.accept(out);
            out.endObject();
        }));
    }
}
