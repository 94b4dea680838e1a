package dev.belay.runtime.store.journal;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;

/**
 * Outcomes, failures and resolutions as they are recorded. The form is pinned by golden files: a later version may add fields,
 * and reads what an earlier one wrote.
 */
public final class OutcomeJson {

    private OutcomeJson() {}

    /** The record of an outcome. */
    public static Json of(ToolOutcome outcome) {
        return Json.write(out -> write(out, outcome));
    }

    /** Writes an outcome as one value, for a record that holds more than that. */
    public static void write(JsonWriter out, ToolOutcome outcome) {
        out.beginObject();
        switch (outcome) {
            case ToolOutcome.Success(Json value) -> out.name("ok").value(value);
            case ToolOutcome.Failure(ToolFailure failure) -> write(out.name("failure"), failure);
            case ToolOutcome.Cancelled(String reason) -> out.name("cancelled").value(reason);
            case ToolOutcome.Rejected(String reason) -> out.name("rejected").value(reason);
        }
        out.endObject();
    }

    /** The outcome of a record; {@code journal_corrupt} if it is none. */
    public static ToolOutcome outcome(Json recorded) {
        return RecordReader.read("outcome", recorded, () -> recorded.as(in -> {
            in.beginObject();
            String variant = in.nextName();
            ToolOutcome outcome = outcome(variant == null ? "" : variant, in);
            while (in.nextName() != null) {
                in.readJson(); // of a later version
            }
            return outcome;
        }));
    }

    private static ToolOutcome outcome(String variant, JsonReader in) {
        return switch (variant) {
            case "ok" -> new ToolOutcome.Success(in.readJson());
            case "failure" -> new ToolOutcome.Failure(failure(in.readJson()));
            case "cancelled" -> new ToolOutcome.Cancelled(in.readString());
            case "rejected" -> new ToolOutcome.Rejected(in.readString());
            default -> throw new IllegalArgumentException("unknown outcome " + variant);
        };
    }

    /** The record of a failure. */
    public static Json of(ToolFailure failure) {
        return Json.write(out -> write(out, failure));
    }

    /** The failure of a record; {@code journal_corrupt} if it is none. */
    public static ToolFailure failure(Json recorded) {
        return RecordReader.read("failure", recorded, () -> new ToolFailure(
                ToolFailure.Kind.valueOf(RecordReader.text(recorded, "kind")),
                RecordReader.text(recorded, "code"), RecordReader.text(recorded, "message"),
                ToolFailure.Source.valueOf(RecordReader.text(recorded, "source")),
                recorded.get("retry").map(OutcomeJson::advice).orElse(RetryAdvice.NEVER),
                recorded.get("may_have_happened").map(Json::asBoolean).orElse(false)));
    }

    /** Whether a record is that of a failure, and not of a value. */
    public static boolean isFailure(Json recorded) {
        return recorded.kind() == Json.Kind.OBJECT && recorded.get("kind").isPresent()
                && recorded.get("code").isPresent();
    }

    /** Whether the record of an effect has its value and not a failure; one in doubt may have either. */
    public static boolean isValue(EffectRow row) {
        Json result = row.result();
        return row.status() == EffectRow.Status.COMPLETED
                || (row.status() == EffectRow.Status.IN_DOUBT && result != null && !isFailure(result));
    }

    /** The record of a resolution. */
    public static Json of(Resolution resolution) {
        return Json.write(out -> {
            out.beginObject();
            switch (resolution) {
                case Resolution.Ok(Json value) -> out.name("ok").value(value);
                case Resolution.Failed(ToolFailure failure) -> write(out.name("failure"), failure);
                case Resolution.Cancelled(String reason) -> out.name("cancelled").value(reason);
                case Resolution.TimedOut timedOut -> out.name("timed_out").value(true);
            }
            out.endObject();
        });
    }

    /** The resolution of a record; {@code journal_corrupt} if it is none. */
    public static Resolution resolution(Json recorded) {
        return RecordReader.read("resolution", recorded, () -> {
            var one = recorded.fields().entrySet().iterator().next();
            return switch (one.getKey()) {
                case "ok" -> new Resolution.Ok(one.getValue());
                case "failure" -> new Resolution.Failed(failure(one.getValue()));
                case "cancelled" -> new Resolution.Cancelled(one.getValue().asString());
                case "timed_out" -> new Resolution.TimedOut();
                default -> throw new IllegalArgumentException("unknown resolution " + one.getKey());
            };
        });
    }

    private static void write(JsonWriter out, ToolFailure failure) {
        out.beginObject();
        out.name("kind").value(failure.kind().name());
        out.name("code").value(failure.code());
        out.name("message").value(failure.message());
        out.name("source").value(failure.source().name());
        RetryAdvice retry = failure.retry();
        if (retry.allowed()) {
            out.name("retry").beginObject();
            Duration after = retry.after();
            if (after != null) {
                out.name("after").value(after.toString());
            }
            out.endObject();
        }
        if (failure.mayHaveHappened()) {
            out.name("may_have_happened").value(true);
        }
        out.endObject();
    }

    private static RetryAdvice advice(Json recorded) {
        return recorded.get("after")
                .map(after -> RetryAdvice.after(Duration.parse(after.asString())))
                .orElse(RetryAdvice.ALLOWED);
    }

    /**
     * The record of an effect's value. One that no record can hold, because it is too large or too deep, is a failure of the
     * effect: to do the work again would not help.
     */
    public static <T> Json recordable(Effect<T> effect, T value, ToolEffect work) {
        try {
            Json result = effect.encode(value);
            LargeResult.requireFits(result);
            return result;
        } catch (BelayException e) {
            if (!(e instanceof JsonException) && !e.code().equals("resource_limit")) {
                throw e;
            }
            ToolFailure failure = ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "resource_limit",
                    "what it returned cannot be recorded: " + e.getMessage());
            throw new ToolException(work == ToolEffect.READ ? failure : failure.thatMayHaveHappened(), e);
        }
    }

    /** What a record answers: the value, or the failure as an exception. */
    public static <T> T answer(Effect<T> effect, EffectRow row, Json result) {
        boolean failed = row.status() == EffectRow.Status.FAILED
                || (row.status() == EffectRow.Status.IN_DOUBT && isFailure(result));
        if (failed) {
            throw new ToolException(failure(result));
        }
        return effect.decode(result);
    }
}
