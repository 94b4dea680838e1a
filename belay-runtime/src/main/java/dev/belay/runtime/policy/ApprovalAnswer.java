package dev.belay.runtime.policy;

import dev.belay.json.Json;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What a person says about a call that asks. */
public sealed interface ApprovalAnswer {

    /** What may be answered; a request lists what is allowed. */
    enum Choice {
        /** Approve this call. */
        ONCE,
        /** Approve it, and further ones about which only the rules ask that were shown, in this turn. */
        TURN,
        /** Approve it, and further ones about which only the rules ask that were shown, in this session. */
        SESSION,
        /** Approve it with other arguments. */
        EDIT,
        /** Answer in the place of the tool. */
        ANSWER,
        /** Deny it. */
        DENY
    }

    /**
     * It may run.
     *
     * @param scope {@code ONCE}, {@code TURN} or {@code SESSION}
     */
    record Approve(Choice scope) implements ApprovalAnswer {

        /** Refuses choices that approve nothing. */
        public Approve {
            if (scope != Choice.ONCE && scope != Choice.TURN && scope != Choice.SESSION) {
                throw new IllegalArgumentException(
                        "a call is approved ONCE, for its TURN or for its SESSION, found "
                                + scope);
            }
        }
    }

    /**
     * It may run with other arguments.
     *
     * @param arguments all of them, in place of those that were proposed
     */
    record Edit(Json arguments) implements ApprovalAnswer {

        /** Refuses null. */
        public Edit {
            Objects.requireNonNull(arguments, "arguments");
        }
    }

    /**
     * It does not run, and has this result.
     *
     * @param value must fit the output schema of the tool
     */
    record Answer(Json value) implements ApprovalAnswer {

        /** Refuses null. */
        public Answer {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * It must not run.
     *
     * @param words for the model; may be empty
     */
    record Deny(String words) implements ApprovalAnswer {

        /** Refuses null. */
        public Deny {
            Objects.requireNonNull(words, "words");
        }
    }

    /** Approves one call. */
    static ApprovalAnswer once() {
        return new Approve(Choice.ONCE);
    }

    /** Approves further calls of the turn too. */
    static ApprovalAnswer forTurn() {
        return new Approve(Choice.TURN);
    }

    /** Approves further calls of the session too. */
    static ApprovalAnswer forSession() {
        return new Approve(Choice.SESSION);
    }

    /** Approves it with other arguments. */
    static ApprovalAnswer edit(Json arguments) {
        return new Edit(arguments);
    }

    /** Answers in the place of the tool. */
    static ApprovalAnswer answer(Json value) {
        return new Answer(value);
    }

    /** Denies it. */
    static ApprovalAnswer deny(String words) {
        return new Deny(words);
    }

    /** The words that a denial begins with which has come in the place of an approval. */
    String TAKEN_BACK = "the approval was taken back";

    /** Denies it after it was approved. */
    static ApprovalAnswer takenBack(String words) {
        return new Deny(words.isEmpty() ? TAKEN_BACK : TAKEN_BACK + ": " + words);
    }

    /** Whether an approval was taken back by it. */
    default boolean isTakenBack() {
        return this instanceof Deny(String words) && words.startsWith(TAKEN_BACK);
    }

    /** Which choice it is. */
    default Choice choice() {
        return switch (this) {
            case Approve(Choice scope) -> scope;
            case Edit edit -> Choice.EDIT;
            case Answer answer -> Choice.ANSWER;
            case Deny deny -> Choice.DENY;
        };
    }

    /** What it does, for the next person who answers. */
    default String inWords() {
        return switch (this) {
            case Approve(Choice scope) -> switch (scope) {
                case TURN -> "approved for its turn";
                case SESSION -> "approved for its session";
                default -> "approved once";
            };
            case Edit(Json arguments) ->
                "approved with the arguments " + ShownText.escaped(arguments.compact());
            case Answer(Json value) -> "answered with " + ShownText.escaped(value.compact());
            case Deny(String words) -> words.isEmpty() ? "denied" : "denied: " + ShownText.escaped(words);
        };
    }

    /** The form in which it is stored and audited. */
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            switch (this) {
                case Approve(Choice scope) -> out.name("approve").value(scope.name());
                case Edit(Json arguments) -> out.name("edit").value(arguments);
                case Answer(Json value) -> out.name("answer").value(value);
                case Deny(String words) -> out.name("deny").value(words);
            }
            out.endObject();
        });
    }

    /** What settles the wait of a call: the answer, who gave it, and when. */
    default Json settlement(String by, String door, Instant at) {
        return Json.write(out -> {
            out.beginObject();
            toJson().fields().forEach((name, value) -> out.name(name).value(value));
            out.name("by").value(by).name("door").value(door);
            out.name("at").value(at.toString()).endObject();
        });
    }

    /** Who gave the answer of a settlement. */
    static String by(Json settlement) {
        return settlement.get("by").map(Json::asString).orElse("");
    }

    /** When the answer of a settlement was given. */
    static Optional<Instant> at(Json settlement) {
        return settlement.get("at").map(at -> Instant.parse(at.asString()));
    }

    /** The answer of its stored form; empty if that is none. */
    static Optional<ApprovalAnswer> of(Json stored) {
        if (stored.kind() != Json.Kind.OBJECT) {
            return Optional.empty();
        }
        Optional<ApprovalAnswer> approve = stored.get("approve")
                .map(scope -> new Approve(Choice.valueOf(scope.asString())));
        return approve.or(() -> stored.get("edit").map(Edit::new))
                .or(() -> stored.get("answer").map(Answer::new))
                .or(() -> stored.get("deny").map(words -> new Deny(words.asString())));
    }
}
