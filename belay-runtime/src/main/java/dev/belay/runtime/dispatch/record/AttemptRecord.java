package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.TurnControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** How one attempt ended, as it is recorded. The form is pinned by golden files. */
public sealed interface AttemptRecord {

    /** The wait for the completion of a parked call. */
    WaitName COMPLETION = new WaitName("completion");
    /** The field for changes of the session; in calls that are over, also for what they have used up. */
    String CHANGES = "changes";
    /** The field for what was used up, in calls that are not over. */
    String SPENT = "spent";

    /**
     * The call is over.
     *
     * @param outcome how it ended
     * @param aftermath what it leaves behind beside that
     */
    record Ended(ToolOutcome outcome, Aftermath aftermath) implements AttemptRecord {

        /** A call that leaves nothing behind. */
        public Ended(ToolOutcome outcome) {
            this(outcome, Aftermath.NONE);
        }
    }

    /**
     * It failed and is to be tried again.
     *
     * @param failure how
     * @param delay how long was drawn
     * @param due when the next attempt may start
     * @param used how long the bodies have run so far
     * @param call what it runs with
     * @param spent what this attempt and those before it have used up
     */
    record Retry(ToolFailure failure, Duration delay, Instant due, Duration used, Preparation call,
            List<Json> spent) implements AttemptRecord {

        /** An attempt that has used up nothing. */
        public Retry(ToolFailure failure, Duration delay, Instant due, Duration used, Preparation call) {
            this(failure, delay, due, used, call, List.of());
        }
    }

    /**
     * It goes on elsewhere.
     *
     * @param completion how it waits
     * @param call what it ran with
     * @param left what its body has left behind
     */
    record Parked(PendingCompletion completion, Preparation call, BodyChanges left) implements AttemptRecord {

        /** A call that leaves nothing behind. */
        public Parked(PendingCompletion completion, Preparation call) {
            this(completion, call, BodyChanges.NOTHING);
        }
    }

    /**
     * A resumable body may be entered.
     *
     * @param call what it runs with
     */
    record Entered(Preparation call) implements AttemptRecord {}

    /** The form in which it is recorded. */
    default Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION);
            switch (this) {
                case Ended(ToolOutcome outcome, Aftermath aftermath) -> {
                    OutcomeJson.write(out.name("ended"), outcome);
                    write(out, aftermath);
                }
                case Retry retry -> {
                    write(out, "retry", retry.call(), body -> {
                        body.name("failure").value(OutcomeJson.of(retry.failure()));
                        body.name("delay").value(retry.delay().toString());
                        body.name("due").value(retry.due().toString());
                        body.name("used").value(retry.used().toString());
                    });
                    write(out, SPENT, retry.spent());
                }
                case Parked(PendingCompletion completion, Preparation call, BodyChanges left) -> {
                    write(out, "parked", call, body -> write(body, completion));
                    write(out, CHANGES, left.changes());
                    write(out, SPENT, left.spent());
                }
                case Entered(Preparation call) -> write(out, "entered", call, body -> {});
            }
            out.endObject();
        });
    }

    private static void write(JsonWriter out, String variant, Preparation call, Consumer<JsonWriter> body) {
        out.name(variant).beginObject();
        body.accept(out);
        out.endObject();
        call.write(out.name("call"));
    }

    private static void write(JsonWriter out, Aftermath aftermath) {
        if (aftermath.control() != TurnControl.GO_ON) {
            out.name("control").value(aftermath.control().name());
        }
        write(out, CHANGES, aftermath.changes());
    }

    private static void write(JsonWriter out, String name, List<Json> some) {
        if (!some.isEmpty()) {
            out.name(name).value(Json.array(some));
        }
    }

    /** The same with what the body has left behind. */
    default AttemptRecord with(BodyChanges left) {
        return switch (this) {
            case Ended(ToolOutcome outcome, Aftermath aftermath) ->
                new Ended(outcome, aftermath.plus(left.of(outcome instanceof ToolOutcome.Success)));
            case Parked parked -> new Parked(parked.completion(), parked.call(), left);
            case Retry(var failure, Duration delay, Instant due, Duration used, var call, var spent) ->
                new Retry(failure, delay, due, used, call, left.spent());
            case Entered entered -> entered;
        };
    }

    private static void write(JsonWriter out, PendingCompletion completion) {
        Instant deadline = completion.deadline();
        if (deadline != null) {
            out.name("deadline").value(deadline.toString());
        }
        out.name("on_timeout").value(completion.onTimeout().name());
        out.name("on_cancel").value(completion.onCancel().name());
        String announcement = completion.announcement();
        if (announcement != null) {
            out.name("announcement").value(announcement);
        }
    }

    /** The attempt of a record; {@code journal_corrupt} if it is none. */
    static AttemptRecord of(Json recorded) {
        return RecordReader.versioned("attempt", recorded, () -> {
            for (String variant : recorded.fields().keySet()) {
                Json body = RecordReader.field(recorded, variant);
                switch (variant) {
                    case "ended" -> {
                        return new Ended(OutcomeJson.outcome(body), new Aftermath(
                                recorded.get("control")
                                        .map(control -> TurnControl.valueOf(control.asString()))
                                        .orElse(TurnControl.GO_ON),
                                RecordReader.items(recorded, CHANGES)));
                    }
                    case "retry" -> {
                        return retry(body, call(recorded), RecordReader.items(recorded, SPENT));
                    }
                    case "parked" -> {
                        return new Parked(completion(body), call(recorded),
                                new BodyChanges(RecordReader.items(recorded, CHANGES),
                                        RecordReader.items(recorded, SPENT)));
                    }
                    case "entered" -> {
                        return new Entered(call(recorded));
                    }
                    default -> {
                    }
                }
            }
            throw JournalException.corrupt("this attempt has no end: " + recorded, null);
        });
    }

    private static Preparation call(Json recorded) {
        return Preparation.of(RecordReader.field(recorded, "call"));
    }

    private static Retry retry(Json body, Preparation call, List<Json> spent) {
        return new Retry(OutcomeJson.failure(RecordReader.field(body, "failure")),
                Duration.parse(RecordReader.text(body, "delay")),
                Instant.parse(RecordReader.text(body, "due")),
                Duration.parse(RecordReader.text(body, "used")), call, spent);
    }

    private static PendingCompletion completion(Json body) {
        String deadline = RecordReader.optionalText(body, "deadline");
        return new PendingCompletion(deadline == null ? null : Instant.parse(deadline),
                PendingCompletion.OnTimeout.valueOf(RecordReader.text(body, "on_timeout")),
                PendingCompletion.OnCancel.valueOf(RecordReader.text(body, "on_cancel")),
                RecordReader.optionalText(body, "announcement"));
    }
}
