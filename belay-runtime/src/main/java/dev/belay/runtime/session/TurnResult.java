package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.Usage;
import dev.belay.runtime.operate.RestText;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.Wording;
import dev.belay.toolset.Answer;
import dev.belay.toolset.StructuredOutput;
import dev.belay.toolset.loop.OutputForm;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a turn: it has ended and is committed, or it rests because nothing can go on until a person or a service outside acts.
 *
 * <pre>{@code
 * switch (session.turn("Refund order 42").run()) {
 *     case TurnResult.Finished finished -> show(finished.text());
 *     case TurnResult.Refused refused -> show(refused.reason());
 *     case TurnResult.Stopped stopped -> show(stopped.message());
 *     case TurnResult.Resting resting -> ask(resting.waits());
 * }
 * }</pre>
 */
public sealed interface TurnResult {

    /** The code of an answer that does not have the form that was asked for. */
    String INVALID_FORM = "invalid_structured_output";

    /** Whose turn. */
    SessionId session();

    /** Its number. */
    long turn();

    /** The id of the input that started it; another than the one you gave if yours joined a turn that was under way. */
    String input();

    /**
     * The answer: what the model said last, or the value with which a tool ended the turn.
     *
     * @throws BelayException {@code turn_resting} with what it waits for, {@code turn_refused} with the model's words, or
     *         {@code turn_stopped} with the reason, if there is none
     */
    String answer();

    /**
     * The answer as a value, if the input asked for it with {@link TurnRequest#answer(Class)} or {@link TurnRequest#as}.
     *
     * @throws BelayException {@code turn_resting} or {@code turn_stopped} with the reason if there is none,
     *         {@code invalid_structured_output} with the text if it does not have the form
     */
    default <T> Answer<T> answer(Class<T> type) {
        return answer(StructuredOutput.of(type));
    }

    /** The same for a form of any kind. */
    <T> Answer<T> answer(StructuredOutput<T> form);

    /**
     * The turn as it was committed.
     *
     * @throws BelayException {@code turn_resting} with what it waits for
     */
    Ended ended();

    /**
     * A turn that rests: it is not committed, and nothing in it goes on, here or on another machine, until one of its waits is answered. The
     * rest is stored; this process may end meanwhile. Thread-safe.
     */
    final class Resting implements TurnResult {

        private final SessionId session;
        private final long turn;
        private final String input;
        private final List<Wait> waits;
        private final Wait.Next<TurnResult> next;

        /**
         * Made by the runtime and by the test kit.
         *
         * @param next waits for what comes after the rest
         */
        public Resting(SessionId session, long turn, String input, List<Wait> waits,
                Wait.Next<TurnResult> next) {
            this.session = session;
            this.turn = turn;
            this.input = input;
            this.waits = List.copyOf(waits);
            this.next = next;
        }

        @Override
        public SessionId session() {
            return session;
        }

        @Override
        public long turn() {
            return turn;
        }

        @Override
        public String input() {
            return input;
        }

        /** What it waits for, the longest first; also what turns of sessions below it wait for. */
        public List<Wait> waits() {
            return waits;
        }

        /**
         * Waits until the set of waits is another one, or the turn has ended. It never returns for the waits that this result lists.
         *
         * @throws BelayException {@code runtime_closed} when the runtime closes; the rest stays stored
         */
        public TurnResult await() throws InterruptedException {
            return next.after(waits);
        }

        @Override
        public String answer() {
            throw resting();
        }

        @Override
        public <T> Answer<T> answer(StructuredOutput<T> form) {
            throw resting();
        }

        @Override
        public Ended ended() {
            throw resting();
        }

        private BelayException resting() {
            return new BelayException("turn_resting", this
                    + "\nLook at the result with a switch (Ended, Resting), or block with awaitCommit()");
        }

        /** What it waits for, and what answers that. */
        @Override
        public String toString() {
            return RestText.of("turn " + turn + " of session " + session, waits);
        }
    }

    /** A turn as it was committed. Made by the runtime and by the test kit. Thread-safe. */
    abstract sealed class Ended implements TurnResult {

        private final Committed turn;
        private final TurnEnd end;

        /** What all ends have. */
        private record Committed(SessionId session, long turn, String input, int rounds, Usage usage,
                @Nullable BigDecimal cost, int unrecorded, List<String> doubts, List<ActionResult> actions) {}

        private Ended(Committed turn, TurnEnd end) {
            this.turn = turn;
            this.end = end;
        }

        /** The result of a turn with this end. */
        public static Ended of(SessionId session, long turn, String input, TurnEnd end, int rounds,
                Usage usage, @Nullable BigDecimal cost, int unrecorded, List<String> doubts,
                List<ActionResult> actions) {
            var all = new Committed(session, turn, input, rounds, usage, cost, unrecorded,
                    List.copyOf(doubts), List.copyOf(actions));
            return switch (end) {
                case TurnEnd.Finished finished -> new Finished(all, finished);
                case TurnEnd.Refused refused -> new Refused(all, refused);
                case TurnEnd.Stopped stopped -> new Stopped(all, stopped);
            };
        }

        @Override
        public final SessionId session() {
            return turn.session();
        }

        @Override
        public final long turn() {
            return turn.turn();
        }

        @Override
        public final String input() {
            return turn.input();
        }

        /** How often a model was asked. */
        public final int rounds() {
            return turn.rounds();
        }

        /** What all recorded requests used together. */
        public final Usage usage() {
            return turn.usage();
        }

        /** What that cost, by the prices when it was used; null if a part of it had no price. */
        public final @Nullable BigDecimal cost() {
            return turn.cost();
        }

        /**
         * In how many rounds a process that died may have asked the model without a record; what that cost is neither in {@link #usage} nor
         * in {@link #cost}.
         */
        public final int unrecorded() {
            return turn.unrecorded();
        }

        /** Ids of its calls that may have happened and were not settled when it ended. */
        public final List<String> doubts() {
            return turn.doubts();
        }

        /** What came of the actions of plugins that inputs have asked for. */
        public final List<ActionResult> actions() {
            return turn.actions();
        }

        /** The answer: what the model said last, or the value with which a tool ended the turn. Empty if there is none. */
        public String text() {
            return "";
        }

        /** The answer, the refusal, or why there is neither. */
        public final String summary() {
            return end.summary();
        }

        @Override
        public String answer() {
            return text();
        }

        /** Whether its record reads back equal: an unpaired surrogate is replaced when it is written. */
        public boolean isReadAsIs() {
            return Wording.isWhole(switch (end) {
                case TurnEnd.Finished(String text, var value) -> text;
                case TurnEnd.Refused(String reason) -> reason;
                case TurnEnd.Stopped(var cause, String message, var evidence) -> message;
            });
        }

        /** The record of this result; pinned by a golden file. */
        public Json toJson() {
            return Json.write(out -> {
                out.beginObject().name("v").value(RecordReader.VERSION);
                out.name("session").value(session().value());
                out.name("turn").value(turn()).name("input").value(input());
                end.write(out.name("end"));
                out.name("rounds").value(rounds());
                MessageJson.write(out.name("usage"), usage());
                BigDecimal cost = cost();
                if (cost != null) {
                    out.name("cost").value(cost);
                }
                if (unrecorded() > 0) {
                    out.name("unrecorded").value(unrecorded());
                }
                if (!doubts().isEmpty()) {
                    out.name("doubts").beginArray();
                    doubts().forEach(out::value);
                    out.endArray();
                }
                if (!actions().isEmpty()) {
                    out.name("actions")
                            .value(Json.array(actions().stream().map(ActionResult::toJson).toList()));
                }
                out.endObject();
            });
        }

        public static Ended of(Json recorded) {
            return RecordReader.versioned("result of a turn", recorded, () -> {
                return of(new SessionId(RecordReader.text(recorded, "session")),
                        RecordReader.field(recorded, "turn").asLong(), RecordReader.text(recorded, "input"),
                        TurnEnd.of(RecordReader.field(recorded, "end")),
                        RecordReader.field(recorded, "rounds").asInt(),
                        MessageJson.usage(RecordReader.field(recorded, "usage")),
                        recorded.get("cost").map(Json::asBigDecimal).orElse(null),
                        recorded.get("unrecorded").map(Json::asInt).orElse(0),
                        RecordReader.items(recorded, "doubts").stream().map(Json::asString).toList(),
                        RecordReader.items(recorded, "actions").stream().map(ActionResult::of).toList());
            });
        }

        @Override
        public final Ended ended() {
            return this;
        }

        @Override
        public final boolean equals(@Nullable Object other) {
            return other instanceof Ended ended && turn.equals(ended.turn) && end.equals(ended.end);
        }

        @Override
        public final int hashCode() {
            return turn.hashCode();
        }

        @Override
        public final String toString() {
            return "turn " + turn() + " of session " + session() + ": " + end;
        }
    }

    /** The model answered, or a tool ended the turn with a value. */
    final class Finished extends Ended {

        private final TurnEnd.Finished end;

        private Finished(Ended.Committed turn, TurnEnd.Finished end) {
            super(turn, end);
            this.end = end;
        }

        /** What a tool ended it with, or the answer if a form was asked for. */
        public Optional<Json> value() {
            return Optional.ofNullable(end.value());
        }

        @Override
        public String text() {
            return summary();
        }

        @Override
        public <T> Answer<T> answer(StructuredOutput<T> form) {
            return switch (form.form().reader().apply(value().map(Json::text).orElseGet(end::text))) {
                case OutputForm.Reading.Right<T>(T read) -> new Answer.Given<>(read);
                case OutputForm.Reading.Wrong<T>(String problem) ->
                    throw new BelayException(INVALID_FORM, "turn " + turn() + " of session " + session()
                            + ": " + problem + "; it was: " + summary());
            };
        }
    }

    /** The model did not want to answer. */
    final class Refused extends Ended {

        private Refused(Ended.Committed turn, TurnEnd.Refused end) {
            super(turn, end);
        }

        /** Its words. */
        public String reason() {
            return summary();
        }

        @Override
        public String answer() {
            throw new BelayException("turn_refused", "the model did not want to answer: " + reason());
        }

        @Override
        public <T> Answer<T> answer(StructuredOutput<T> form) {
            return new Answer.Refused<>(reason());
        }
    }

    /** The turn stopped without an answer. What was done until then is in the session. */
    final class Stopped extends Ended {

        private final TurnEnd.Stopped end;

        private Stopped(Ended.Committed turn, TurnEnd.Stopped end) {
            super(turn, end);
            this.end = end;
        }

        /** Why. */
        public TurnEnd.Cause cause() {
            return end.cause();
        }

        /** The cause in words. */
        public String message() {
            return summary();
        }

        /** Counts, limits and codes that show the cause. */
        public Json evidence() {
            return end.evidence();
        }

        @Override
        public String answer() {
            throw stopped();
        }

        @Override
        public <T> Answer<T> answer(StructuredOutput<T> form) {
            throw evidence().get("code").filter(code -> code.asString().equals(INVALID_FORM)).isPresent()
                    ? new BelayException(INVALID_FORM, "turn " + turn() + " of session " + session() + ": "
                            + message() + "; it was: "
                            + evidence().get("partial").map(Json::asString).orElse(""))
                    : stopped();
        }

        private BelayException stopped() {
            return new BelayException("turn_stopped", "turn " + turn() + " of session " + session()
                    + " has no answer (" + cause() + "): " + message());
        }
    }
}
