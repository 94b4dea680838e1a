package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.store.journal.RecordReader;
import org.jspecify.annotations.Nullable;

/** How a turn ended. */
public sealed interface TurnEnd {

    /**
     * The model answered, or a tool ended the turn with a value.
     *
     * @param text what the model said last; empty if a tool ended the turn
     * @param value what the tool ended it with, or the answer if a form was asked for, or null
     */
    record Finished(String text, @Nullable Json value) implements TurnEnd {}

    /**
     * The model did not want to answer.
     *
     * @param reason its words
     */
    record Refused(String reason) implements TurnEnd {}

    /**
     * The turn stopped without an answer. What was done until then is in the session.
     *
     * @param cause why
     * @param message the cause in words
     * @param evidence counts, limits and codes that show the cause
     */
    record Stopped(Cause cause, String message, Json evidence) implements TurnEnd {}

    /** Why a turn stopped without an answer. */
    enum Cause {
        /** It was cancelled. */
        CANCELLED,
        /** It had as many rounds as it may have. */
        MAX_ROUNDS,
        /** Round after round brought neither text nor a successful call. */
        NO_PROGRESS,
        /** It used as many tokens as it may use. */
        TOKEN_BUDGET,
        /** It cost as much as it may cost. */
        COST_BUDGET,
        /** It took as long as it may take. */
        TIME_BUDGET,
        /** The model gave no usable answer. */
        PROVIDER_ERROR,
        /** A plugin ended it. */
        PLUGIN_ABORT,
        /** A tool ended it with an error. */
        TOOL_ERROR,
        /** It was stuck, and an operator gave it up. */
        ABANDONED
    }

    /** The answer, the refusal, or why there is neither. */
    default String summary() {
        return switch (this) {
            case Finished(String text, Json value) when text.isEmpty() && value != null ->
                value.kind() == Json.Kind.STRING ? value.asString() : value.compact();
            case Finished(String text, Json value) -> text;
            case Refused(String reason) -> reason;
            case Stopped(Cause cause, String message, Json evidence) -> message;
        };
    }

    /** The record of this end; pinned by a golden file. */
    default Json toJson() {
        return Json.write(this::write);
    }

    /** Writes the record of this end as a value. */
    default void write(JsonWriter out) {
        out.beginObject();
        switch (this) {
            case Finished(String text, Json value) -> {
                out.name("finished").value(text, RecordReader.HALF);
                if (value != null) {
                    out.name("value").value(value);
                }
            }
            case Refused(String reason) -> out.name("refused").value(reason, RecordReader.HALF);
            case Stopped(Cause cause, String message, Json evidence) -> out.name("stopped")
                    .value(cause.name())
                    .name("message")
                    .value(message, RecordReader.HALF)
                    .name("evidence")
                    .value(evidence);
        }
        out.endObject();
    }

    /** The end of a record; {@code journal_corrupt} if it is none. */
    static TurnEnd of(Json recorded) {
        return RecordReader.read("end of a turn", recorded, () -> {
            String finished = RecordReader.optionalText(recorded, "finished");
            if (finished != null) {
                return new Finished(finished, recorded.get("value").orElse(null));
            }
            String refused = RecordReader.optionalText(recorded, "refused");
            return refused != null
                    ? new Refused(refused)
                    : new Stopped(Cause.valueOf(RecordReader.text(recorded, "stopped")),
                            RecordReader.text(recorded, "message"), RecordReader.field(recorded, "evidence"));
        });
    }
}
