package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolFailure;

/** The end of a process. */
public sealed interface ProcessEnd extends ProcessResult {

    /**
     * It completed with a value.
     *
     * @param value the value; for a turn its answer, as text unless a tool ended the turn with a value
     */
    record Completed(Json value) implements ProcessEnd {}

    /**
     * It failed.
     *
     * @param failure the failure
     */
    record Failed(ToolFailure failure) implements ProcessEnd {}

    /**
     * It was asked to end.
     *
     * @param reason of the request
     */
    record Cancelled(String reason) implements ProcessEnd {}

    /**
     * It was given up, and how far it came is not recorded: its owner died and it must not be repeated, or an operator
     * abandoned it.
     *
     * @param reason why it was given up
     */
    record Abandoned(String reason) implements ProcessEnd {}

    /** The status of a process with this end. */
    default ProcessStatus status() {
        return switch (this) {
            case Completed completed -> ProcessStatus.COMPLETED;
            case Failed failed -> ProcessStatus.FAILED;
            case Cancelled cancelled -> ProcessStatus.CANCELLED;
            case Abandoned abandoned -> ProcessStatus.ABANDONED;
        };
    }

    /** Describes this end in one line of text, behind the name of the process. */
    default String summary() {
        return switch (this) {
            case Completed(Json value) ->
                "completed: " + (value.kind() == Json.Kind.STRING ? value.asString() : value.compact());
            case Failed(ToolFailure failure) ->
                "failed: Error (" + failure.code() + "): " + failure.message();
            case Cancelled(String reason) -> "was cancelled: " + reason;
            case Abandoned(String reason) -> "was abandoned: " + reason;
        };
    }

    /** The record of this end; pinned by a golden file. */
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(1);
            switch (this) {
                case Completed(Json value) -> out.name("completed").value(value);
                case Failed(ToolFailure failure) -> out.name("failed").value(OutcomeJson.of(failure));
                case Cancelled(String reason) -> out.name("cancelled").value(reason);
                case Abandoned(String reason) -> out.name("abandoned").value(reason);
            }
            out.endObject();
        });
    }

    /** Reads the form of {@link #toJson}; {@code journal_corrupt} if it has another form. */
    static ProcessEnd of(Json recorded) {
        return RecordReader.read("end of a process", recorded, () -> {
            if (recorded.get("completed").isPresent()) {
                return new Completed(RecordReader.field(recorded, "completed"));
            }
            if (recorded.get("failed").isPresent()) {
                return new Failed(OutcomeJson.failure(RecordReader.field(recorded, "failed")));
            }
            return recorded.get("cancelled").isPresent()
                    ? new Cancelled(RecordReader.text(recorded, "cancelled"))
                    : new Abandoned(RecordReader.text(recorded, "abandoned"));
        });
    }
}
