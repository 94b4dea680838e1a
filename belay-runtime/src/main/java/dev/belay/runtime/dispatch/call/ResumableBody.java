package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.BodyEnd;
import dev.belay.runtime.dispatch.body.StepMemory;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A resumable body: code of the scope, entered from its first line as often as the scope is.
 *
 * <p><b>Concurrency.</b> Confined to the call's thread; the body has its own ({@link BodyEntry}). <b>Durability.</b> Only the steps
 * of the body and its outcome are effects. <b>Recovery.</b> Each entry goes through all attempts in order; recorded steps are
 * answered, so an attempt that has failed before fails again in the same place. An attempt without an answer of its own is not
 * entered again, because its last step may have happened: the scope starts anew after its record, which has what a further attempt
 * knows of its steps.
 */
final class ResumableBody {

    private final OneCall call;
    private final Preparation recorded;
    private final StepMemory memory = new StepMemory();
    private final boolean again;
    private EffectScope.@Nullable Held held;
    private int first = 1;
    private List<Json> spent = List.of();

    /**
     * A body that may be entered.
     *
     * @param held its resource, if it was taken in this entry; else null
     * @param again whether an earlier entry may have entered it
     */
    ResumableBody(OneCall call, AttemptRecord.Entered entered, EffectScope.@Nullable Held held,
            boolean again) {
        this.call = call;
        this.recorded = entered.call();
        this.held = held;
        this.again = again;
    }

    /** Enters the body until it has ended or parked; may throw {@link dev.belay.tool.context.Suspended}. */
    AttemptRecord run() {
        return over().orElseGet(this::enter);
    }

    /** The recorded end of the body, if there is one: then it is not entered. */
    private Optional<AttemptRecord> over() {
        for (int number = 1;; number++) {
            Optional<AttemptRecord> attempted = call.scope()
                    .peek(BodyEntry.outcomeKey(number))
                    .map(call.hooks()::read)
                    .map(AttemptRecord::of);
            if (attempted.isEmpty() || attempted.get() instanceof AttemptRecord.Ended) {
                return attempted;
            }
            BodyChanges left = unanswered(attempted.get());
            if (left != null) {
                release();
                AttemptRecord settled = AskAgain.settled(call, BodyEntry.outcomeKey(number), attempted.get());
                if (!(settled instanceof AttemptRecord.Retry)) {
                    return Optional.of(settled);
                }
                first = number + 1;
                spent = left.spent();
                memory.read(left.steps());
            }
        }
    }

    /** What an attempt has left that has no answer of its own; null if it has one. */
    private static @Nullable BodyChanges unanswered(AttemptRecord attempted) {
        return switch (attempted) {
            case AttemptRecord.Unsure unsure -> unsure.left();
            case AttemptRecord.Held waits -> waits.left();
            default -> null;
        };
    }

    private AttemptRecord enter() {
        Duration used = Duration.ZERO;
        List<Json> failed = spent;
        for (int number = first;; number++) {
            var handed = new HandedKey(call, again || number > 1);
            Optional<ToolOutcome> accepted = isNew(number) ? handed.accepted() : Optional.empty();
            if (accepted.isPresent()) {
                release();
                List<Json> before = failed;
                return performed(new OutcomeEffect(number, handed, running -> new AttemptRecord.Ended(
                        AfterHooks.apply(call, recorded, accepted.get()))
                        .with(BodyChanges.NOTHING.after(before))));
            }
            OneCall.Ready ready;
            try {
                ready = AskedCall.agreed(call, recorded);
            } catch (CallEnded changed) {
                release();
                return unrecorded(Completion.accepted(call, recorded, changed.outcome()));
            }
            var entry = new BodyEntry(call, ready, number, used, memory, handed);
            BodyEnd end = entry.enter(held);
            held = null;
            if (end instanceof BodyEnd.NotStarted(String reason)) {
                var cancelled = new ToolOutcome.Cancelled(reason);
                return unrecorded(
                        handed.isOut() ? Completion.accepted(call, recorded, cancelled) : cancelled);
            }
            switch (performed(new OutcomeEffect(number, handed,
                    running -> entry.settle(end, spent, running)))) {
                case AttemptRecord.Retry retry -> {
                    call.pause(retry);
                    used = retry.used();
                    failed = retry.spent();
                }
                case AttemptRecord.Entered entered ->
                    throw new IllegalStateException("the outcome of a body is no entry: " + entered);
                case AttemptRecord attempted -> {
                    if (unanswered(attempted) != null) {
                        call.scope().startAnew();
                    }
                    return attempted;
                }
            }
        }
    }

    /** Whether no entry has begun a further attempt: one whose steps may be in doubt is not cut off. */
    private boolean isNew(int number) {
        return number > 1 && call.scope().peek(BodyEntry.outcomeKey(number)).isEmpty()
                && !call.scope().hasRecords(new EffectKey("step/" + number));
    }

    private AttemptRecord performed(OutcomeEffect outcome) {
        AttemptRecord attempted = call.scope().run(outcome);
        if (outcome.performed && !(attempted instanceof AttemptRecord.Retry)) {
            call.recorded(attempted);
        }
        return attempted;
    }

    private void release() {
        EffectScope.Held taken = held;
        if (taken != null) {
            taken.release().run();
            held = null;
        }
    }

    /** An end without a record: a record would stand in the place of those of the steps. */
    private AttemptRecord unrecorded(ToolOutcome outcome) {
        if (call.settings().told().first(call.events().call())) {
            call.events().finished(outcome);
        }
        return new AttemptRecord.Ended(outcome);
    }

    /** How one attempt ended. */
    private final class OutcomeEffect implements Effect<AttemptRecord> {

        private final int number;
        private final HandedKey handed;
        private final Function<Running, AttemptRecord> ended;
        private boolean performed;

        OutcomeEffect(int number, HandedKey handed, Function<Running, AttemptRecord> ended) {
            this.number = number;
            this.handed = handed;
            this.ended = ended;
        }

        @Override
        public EffectKey key() {
            return BodyEntry.outcomeKey(number);
        }

        @Override
        public Json identity() {
            return call.call().identity();
        }

        @Override
        public String kind() {
            return "outcome";
        }

        @Override
        public Plan plan() {
            return new Plan(ToolEffect.READ, Json.EMPTY_OBJECT, false, null, recorded.fingerprint());
        }

        @Override
        public AttemptRecord run(Running running) {
            performed = true;
            return ended.apply(running);
        }

        @Override
        public @Nullable WaitName closes(AttemptRecord attempted) {
            return handed.closedBy(attempted);
        }

        @Override
        public AttemptRecord answered(AttemptRecord unrecorded, Resolution answer) {
            return call.answered(recorded, unrecorded, answer);
        }

        @Override
        public Json encode(AttemptRecord value) {
            return call.hooks().recorded(value.toJson());
        }

        @Override
        public AttemptRecord decode(Json record) {
            return AttemptRecord.of(call.hooks().read(record));
        }

        @Override
        public AttemptRecord doubt(Running started) {
            throw new IllegalStateException("an outcome is never started before it is known");
        }
    }
}
