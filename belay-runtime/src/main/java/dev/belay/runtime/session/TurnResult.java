package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.Usage;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.schema.ShownLines;
import dev.belay.schema.Wording;
import dev.belay.toolset.Answer;
import dev.belay.toolset.StructuredOutput;
import dev.belay.toolset.loop.OutputForm;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came of a turn: it has ended and is committed, or it rests because nothing can go on until a person or a service outside acts.
 *
 * <pre>{@code
 * switch (session.turn("Refund order 42").run()) {
 *     case TurnResult.Ended ended -> show(ended.text());
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
        private final Going going;

        /** Waits until other waits are open, or the turn has ended. */
        @FunctionalInterface
        public interface Going {

            /** What comes after a rest with these waits. */
            TurnResult after(List<Wait> waits) throws InterruptedException;
        }

        /**
         * Made by the runtime and by the test kit.
         *
         * @param going waits for what comes next
         */
        public Resting(SessionId session, long turn, String input, List<Wait> waits, Going going) {
            this.session = session;
            this.turn = turn;
            this.input = input;
            this.waits = List.copyOf(waits);
            this.going = going;
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
            return going.after(waits);
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

        /** What it waits for, and what answers that. A line with text of a model or a tool goes on behind a margin if it is long. */
        @Override
        public String toString() {
            return Wait.text("turn " + turn + " of session " + session, waits)
                    .lines()
                    .map(line -> line.matches("  \\S.*")
                            ? ShownLines.hanging(line, ShownLines.USUAL_WIDTH).stripTrailing()
                            : line)
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * A turn as it was committed.
     *
     * @param session whose
     * @param turn its number
     * @param input the id of the input that started it; another than the one you gave if yours joined a turn that was under way
     * @param end how it ended
     * @param rounds how often a model was asked
     * @param usage what all recorded requests used together
     * @param cost what that cost, by the prices when it was used; null if a part of it had no price
     * @param unrecorded in how many rounds a process that died may have asked the model without a record; what that cost is neither in
     *        {@code usage} nor in {@code cost}
     * @param doubts ids of its calls that may have happened and were not settled when it ended
     * @param actions what came of the actions of plugins that inputs have asked for
     */
    record Ended(SessionId session, long turn, String input, TurnEnd end, int rounds, Usage usage,
            @Nullable BigDecimal cost, int unrecorded, List<String> doubts, List<ActionResult> actions)
            implements
                TurnResult {

        /** Copies the lists. */
        public Ended {
            doubts = List.copyOf(doubts);
            actions = List.copyOf(actions);
        }

        /** The result of a turn without actions. */
        public Ended(SessionId session, long turn, String input, TurnEnd end, int rounds, Usage usage,
                @Nullable BigDecimal cost, int unrecorded, List<String> doubts) {
            this(session, turn, input, end, rounds, usage, cost, unrecorded, doubts, List.of());
        }

        /** The result of a turn without doubts. */
        public Ended(SessionId session, long turn, String input, TurnEnd end, int rounds, Usage usage,
                @Nullable BigDecimal cost, int unrecorded) {
            this(session, turn, input, end, rounds, usage, cost, unrecorded, List.of());
        }

        /**
         * The answer: what the model said last, or the value with which a tool ended the turn. Empty if there is none, because the turn was
         * refused or stopped; {@link TurnEnd#summary} says why.
         */
        public String text() {
            return isFinished() ? end.summary() : "";
        }

        @Override
        public String answer() {
            return switch (end) {
                case TurnEnd.Finished finished -> end.summary();
                case TurnEnd.Refused refused -> throw new BelayException("turn_refused",
                        "the model did not want to answer: " + end.summary());
                case TurnEnd.Stopped stopped -> throw stopped(stopped);
            };
        }

        @Override
        public <T> Answer<T> answer(StructuredOutput<T> form) {
            return switch (end) {
                case TurnEnd.Finished(String text, Json value) ->
                    switch (form.form().reader().apply(value == null ? text : value.text())) {
                        case OutputForm.Reading.Right<T>(T read) -> new Answer.Given<>(read);
                        case OutputForm.Reading.Wrong<T>(String problem) ->
                            throw invalid(problem + "; it was: " + end.summary());
                    };
                case TurnEnd.Refused(String reason) -> new Answer.Refused<>(reason);
                case TurnEnd.Stopped(TurnEnd.Cause cause, String message, Json evidence) when evidence
                        .get("code")
                        .filter(code -> code.asString().equals(INVALID_FORM))
                        .isPresent() ->
                    throw invalid(message + "; it was: "
                            + evidence.get("partial").map(Json::asString).orElse(""));
                case TurnEnd.Stopped stopped -> throw stopped(stopped);
            };
        }

        private BelayException invalid(String problem) {
            return new BelayException(INVALID_FORM,
                    "turn " + turn + " of session " + session + ": " + problem);
        }

        private BelayException stopped(TurnEnd.Stopped stopped) {
            return new BelayException("turn_stopped", "turn " + turn + " of session " + session
                    + " has no answer (" + stopped.cause() + "): " + stopped.message());
        }

        /** Whether the model answered, or a tool ended the turn with a value. */
        public boolean isFinished() {
            return end instanceof TurnEnd.Finished;
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
                out.name("session").value(session.value());
                out.name("turn").value(turn).name("input").value(input);
                end.write(out.name("end"));
                out.name("rounds").value(rounds);
                MessageJson.write(out.name("usage"), usage);
                if (cost != null) {
                    out.name("cost").value(cost);
                }
                if (unrecorded > 0) {
                    out.name("unrecorded").value(unrecorded);
                }
                if (!doubts.isEmpty()) {
                    out.name("doubts").beginArray();
                    doubts.forEach(out::value);
                    out.endArray();
                }
                if (!actions.isEmpty()) {
                    out.name("actions")
                            .value(Json.array(actions.stream().map(ActionResult::toJson).toList()));
                }
                out.endObject();
            });
        }

        public static Ended of(Json recorded) {
            return RecordReader.versioned("result of a turn", recorded, () -> {
                return new Ended(new SessionId(RecordReader.text(recorded, "session")),
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
        public Ended ended() {
            return this;
        }
    }
}
