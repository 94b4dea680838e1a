package dev.belay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event of a model's answer. {@link Started} comes first and {@link Finished} last, each once. Between them the content
 * (text, reasoning, refusal) and every call are streams of their own, in order in themselves and mixed in any way.
 */
public sealed interface ModelEvent {

    /**
     * The provider began to answer.
     *
     * @param model the model that answers, as the provider names it
     * @param responseId the provider's id of the answer; empty if it has none
     */
    record Started(String model, String responseId) implements ModelEvent {

        /** Refuses null only. */
        public Started {
            Objects.requireNonNull(model, "model");
            Objects.requireNonNull(responseId, "responseId");
        }
    }

    /**
     * More text.
     *
     * @param chunk any length, also none
     */
    record TextDelta(String chunk) implements ModelEvent {

        /** Refuses null only. */
        public TextDelta {
            Objects.requireNonNull(chunk, "chunk");
        }
    }

    /**
     * More reasoning.
     *
     * @param chunk any length, also none
     */
    record ReasoningDelta(String chunk) implements ModelEvent {

        /** Refuses null only. */
        public ReasoningDelta {
            Objects.requireNonNull(chunk, "chunk");
        }
    }

    /**
     * More of a refusal.
     *
     * @param chunk any length, also none
     */
    record RefusalDelta(String chunk) implements ModelEvent {

        /** Refuses null only. */
        public RefusalDelta {
            Objects.requireNonNull(chunk, "chunk");
        }
    }

    /**
     * A call begins; its arguments follow.
     *
     * @param index orders the calls of one answer, as a number; gaps are allowed
     * @param id the provider's id; empty if it sent none
     * @param name the tool's name, whole
     */
    record CallStarted(int index, String id, String name) implements ModelEvent {

        /** Refuses a negative index. */
        public CallStarted {
            checkIndex(index);
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * More arguments of a call that has begun.
     *
     * @param index the call's index
     * @param chunk any length, also none
     */
    record CallArguments(int index, String chunk) implements ModelEvent {

        /** Refuses a negative index. */
        public CallArguments {
            checkIndex(index);
            Objects.requireNonNull(chunk, "chunk");
        }
    }

    /**
     * What the call has cost so far. Later reports are {@linkplain Usage#merge merged} into earlier ones, not added.
     *
     * @param usage the fields that are known by now
     */
    record UsageReported(Usage usage) implements ModelEvent {

        /** Refuses null only. */
        public UsageReported {
            Objects.requireNonNull(usage, "usage");
        }
    }

    /**
     * The answer is whole.
     *
     * @param reason why the model stopped
     * @param nativePayload the provider's own form of the message, or null
     */
    record Finished(FinishReason reason, @Nullable NativePayload nativePayload) implements ModelEvent {

        /** Refuses a missing reason. */
        public Finished {
            Objects.requireNonNull(reason, "reason");
        }
    }

    private static void checkIndex(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("the index of a call must be at least 0, not " + index);
        }
    }
}
