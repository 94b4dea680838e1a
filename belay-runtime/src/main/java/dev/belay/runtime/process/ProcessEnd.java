package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolFailure;

/** How a process ended. */
public sealed interface ProcessEnd {

    /**
     * With a value.
     *
     * @param value which; of a turn what it finished with, as text unless a tool gave a value
     */
    record Completed(Json value) implements ProcessEnd {}

    /**
     * With a failure.
     *
     * @param failure which
     */
    record Failed(ToolFailure failure) implements ProcessEnd {}

    /**
     * Because somebody wanted it to.
     *
     * @param reason why
     */
    record Cancelled(String reason) implements ProcessEnd {}

    /**
     * Without anybody knowing how far it came.
     *
     * @param reason why
     */
    record Abandoned(String reason) implements ProcessEnd {}

    /** The status that goes with it. */
    default ProcessStatus status() {
        return switch (this) {
            case Completed completed -> ProcessStatus.COMPLETED;
            case Failed failed -> ProcessStatus.FAILED;
            case Cancelled cancelled -> ProcessStatus.CANCELLED;
            case Abandoned abandoned -> ProcessStatus.ABANDONED;
        };
    }

    /** What there is to read. */
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

    /** The end of a record; {@code journal_corrupt} if it is none. */
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
