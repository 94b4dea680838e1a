package dev.belay.tool;

import dev.belay.json.Json;
import dev.belay.model.Part.ReplyPart;
import java.util.Objects;
import java.util.Optional;

/** How a call ended, as it is recorded. */
public sealed interface ToolOutcome {

    /** What the model reads where a tool returned nothing. */
    String NO_OUTPUT = "(no output)";

    /**
     * The body returned.
     *
     * @param value what it returned; {@link Json#NULL} for nothing
     */
    record Success(Json value) implements ToolOutcome {

        /** Refuses null. */
        public Success {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * The call failed; the turn goes on.
     *
     * @param failure how
     */
    record Failure(ToolFailure failure) implements ToolOutcome {

        /** Refuses null. */
        public Failure {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * The call was cancelled.
     *
     * @param reason why
     */
    record Cancelled(String reason) implements ToolOutcome {

        /** Refuses null. */
        public Cancelled {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The call was rejected by a hook, a policy or a person.
     *
     * @param reason why, in words for the model
     */
    record Rejected(String reason) implements ToolOutcome {

        /** Refuses null. */
        public Rejected {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** What the model reads: text verbatim, other values as compact JSON, and a plain word for everything else. */
    default String text() {
        return switch (this) {
            case Success(Json value) when value.kind() == Json.Kind.STRING ->
                value.asString().isEmpty() ? NO_OUTPUT : value.asString();
            case Success(Json value) -> value.isNull() ? NO_OUTPUT : value.compact();
            case Failure(ToolFailure failure) -> "Error (" + failure.code() + "): " + failure.message();
            case Cancelled(String reason) -> "Cancelled: " + reason;
            case Rejected(String reason) -> "Rejected: " + reason;
        };
    }

    /** The stable code of an outcome that is not a success. */
    default Optional<String> code() {
        return switch (this) {
            case Success success -> Optional.empty();
            case Failure(ToolFailure failure) -> Optional.of(failure.code());
            case Cancelled cancelled -> Optional.of("tool_cancelled");
            case Rejected rejected -> Optional.of("rejected");
        };
    }

    /** The mark that providers with an error flag are given. */
    default ReplyPart.Status status() {
        return switch (this) {
            case Success success -> ReplyPart.Status.OK;
            case Failure failure -> ReplyPart.Status.ERROR;
            case Cancelled cancelled -> ReplyPart.Status.CANCELLED;
            case Rejected rejected -> ReplyPart.Status.REJECTED;
        };
    }
}
