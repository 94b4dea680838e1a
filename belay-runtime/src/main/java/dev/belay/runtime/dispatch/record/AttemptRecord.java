package dev.belay.runtime.dispatch.record;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.policy.DecidingRule;
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
import org.jspecify.annotations.Nullable;

/** How one attempt ended, as it is recorded. The form is pinned by golden files. */
public sealed interface AttemptRecord {

    /** The wait for the completion of a parked call. */
    WaitName COMPLETION = new WaitName("completion");
    /** The field for changes of the session; in calls that are over, also for what they have used up. */
    String CHANGES = "changes";
    /** The field for what was used up, in calls that are not over. */
    String SPENT = "spent";
    /** The field for whose process ran a body. */
    String OWNER = "owner";
    /** The field for the id of a doubt. */
    String DOUBT = "doubt";
    /** The field for what a person is shown, in the input or the record of an attempt that asks. */
    String REQUEST = "request";
    /** The field for the rules that a person is shown. */
    String RULES = "rules";
    /** The field for how often a preview was another one after an approval. */
    String DIFFERED = "differed";
    /** The field for the ids of doubts about steps. */
    String DOUBTS = "doubts";
    /** The field for what a further attempt of a resumable body knows. */
    String STEPS = "steps";

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

    /**
     * It has no answer of its own, and its reconciler could not be asked.
     *
     * @param failure what the model is told if nothing is found out
     * @param asked how often the reconciler was asked
     * @param due when it is asked again
     * @param over whether the first body cannot run any more
     * @param owner whose process ran the first body, or null if that is not known
     * @param call what it ran with
     * @param left what its body has left behind
     */
    record Unsure(ToolFailure failure, int asked, Instant due, boolean over, @Nullable String owner,
            Preparation call, BodyChanges left) implements AttemptRecord {}

    /**
     * It may have happened, and waits until that is settled.
     *
     * @param failure what the model is told if it stops waiting
     * @param doubt which
     * @param call what it ran with
     * @param left what its body has left behind
     */
    record Held(ToolFailure failure, String doubt, Preparation call,
            BodyChanges left) implements AttemptRecord {}

    /**
     * Nothing of the body has run: a person is asked first.
     *
     * @param call what it would run with
     * @param digest of what the person is shown
     * @param expires when the request ends without an answer
     * @param rules that the person is shown
     * @param differed how often the preview of the call was another one after an approval
     * @param request what the person is shown, if that does not stand with the input of the attempt
     */
    record Asked(Preparation call, String digest, Instant expires, List<DecidingRule> rules,
            int differed, @Nullable Json request) implements AttemptRecord {

        /** The wait for the answer to an attempt. */
        public static WaitName wait(String number) {
            return new WaitName("ask/" + number);
        }
    }

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
                    write(out, left);
                }
                case Entered(Preparation call) -> write(out, "entered", call, body -> {});
                case Unsure unsure -> {
                    write(out, "unsure", unsure.call(), body -> {
                        body.name("failure").value(OutcomeJson.of(unsure.failure()));
                        body.name("asked").value(unsure.asked());
                        body.name("due").value(unsure.due().toString());
                        body.name("over").value(unsure.over());
                        if (unsure.owner() != null) {
                            body.name(OWNER).value(unsure.owner());
                        }
                    });
                    write(out, unsure.left());
                }
                case Held(ToolFailure failure, String doubt, Preparation call, BodyChanges left) -> {
                    write(out, "held", call, body -> body.name("failure")
                            .value(OutcomeJson.of(failure))
                            .name(DOUBT)
                            .value(doubt));
                    write(out, left);
                }
                case Asked asked -> write(out, "asked", asked.call(), body -> {
                    body.name("digest")
                            .value(asked.digest())
                            .name("expires")
                            .value(asked.expires().toString())
                            .name(RULES)
                            .value(DecidingRule.toJson(asked.rules()));
                    if (asked.differed() > 0) {
                        body.name(DIFFERED).value(asked.differed());
                    }
                    if (asked.request() != null) {
                        body.name(REQUEST).value(asked.request());
                    }
                });
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
        if (aftermath.doubt() != null) {
            out.name(DOUBT).value(aftermath.doubt());
        }
        writeDoubts(out, aftermath.ofSteps());
    }

    private static void write(JsonWriter out, BodyChanges left) {
        write(out, CHANGES, left.changes());
        write(out, SPENT, left.spent());
        writeDoubts(out, left.doubts());
        if (!left.steps().equals(Json.EMPTY_OBJECT)) {
            out.name(STEPS).value(left.steps());
        }
    }

    private static void writeDoubts(JsonWriter out, List<String> doubts) {
        if (!doubts.isEmpty()) {
            write(out, DOUBTS, doubts.stream().map(Json::string).toList());
        }
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
                new Ended(outcome, aftermath.plus(left, outcome instanceof ToolOutcome.Success));
            case Parked parked -> new Parked(parked.completion(), parked.call(), left);
            case Retry(var failure, Duration delay, Instant due, Duration used, var call, var spent) ->
                new Retry(failure, delay, due, used, call, left.spent());
            case Entered entered -> entered;
            case Unsure(var failure, int asked, Instant due, boolean over, var owner, var call, var none) ->
                new Unsure(failure, asked, due, over, owner, call, left);
            case Held held -> new Held(held.failure(), held.doubt(), held.call(), left);
            case Asked asked -> asked;
        };
    }

    /** The end of a call whose key was answered before this could be recorded. */
    default AttemptRecord answered(ToolOutcome outcome) {
        return switch (this) {
            case Ended(var own, Aftermath of) ->
                new Ended(outcome, new Aftermath(of.control(), of.changes(), null, of.ofSteps()));
            case Held held -> new Ended(outcome).with(held.left());
            case Unsure unsure -> new Ended(outcome).with(unsure.left());
            case Retry retry -> new Ended(outcome).with(new BodyChanges(List.of(), retry.spent()));
            case Parked parked -> new Ended(outcome).with(parked.left());
            case Entered entered -> new Ended(outcome);
            case Asked asked -> new Ended(outcome);
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
                                RecordReader.items(recorded, CHANGES),
                                RecordReader.optionalText(recorded, DOUBT), doubts(recorded)));
                    }
                    case "unsure" -> {
                        return new Unsure(OutcomeJson.failure(RecordReader.field(body, "failure")),
                                RecordReader.field(body, "asked").asInt(),
                                Instant.parse(RecordReader.text(body, "due")),
                                RecordReader.field(body, "over").asBoolean(),
                                RecordReader.optionalText(body, OWNER), call(recorded), left(recorded));
                    }
                    case "held" -> {
                        return new Held(OutcomeJson.failure(RecordReader.field(body, "failure")),
                                RecordReader.text(body, DOUBT), call(recorded), left(recorded));
                    }
                    case "asked" -> {
                        return new Asked(call(recorded), RecordReader.text(body, "digest"),
                                Instant.parse(RecordReader.text(body, "expires")),
                                DecidingRule.of(RecordReader.field(body, RULES)),
                                body.get(DIFFERED).map(Json::asInt).orElse(0),
                                body.get(REQUEST).orElse(null));
                    }
                    case "retry" -> {
                        return retry(body, call(recorded), RecordReader.items(recorded, SPENT));
                    }
                    case "parked" -> {
                        return new Parked(completion(body), call(recorded), left(recorded));
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

    private static BodyChanges left(Json recorded) {
        return new BodyChanges(RecordReader.items(recorded, CHANGES), RecordReader.items(recorded, SPENT),
                doubts(recorded), recorded.get(STEPS).orElse(Json.EMPTY_OBJECT));
    }

    private static List<String> doubts(Json recorded) {
        return RecordReader.items(recorded, DOUBTS).stream().map(Json::asString).toList();
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
