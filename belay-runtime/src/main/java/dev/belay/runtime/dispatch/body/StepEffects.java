package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.HeldAnswer;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.InDoubtException;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Reconciliation;
import dev.belay.tool.context.Suspended;
import dev.belay.tool.option.RetryAdvice;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a resumable body in one attempt.
 *
 * <p><b>Concurrency.</b> Confined to the body's thread, which has the scope while it runs; the call's thread reads how it ended
 * after the body. The body is not interrupted inside the scope ({@link Shield}). <b>Durability.</b> Each step is an effect with
 * the number of the attempt in its key, so that a failure holds for its own attempt alone; values and doubts are remembered
 * from attempt to attempt of one entry, which is enough because every entry goes through all attempts from the first.
 * <b>Recovery.</b> A wait unwinds the body with {@link Suspended}; it is noted here, because a body may swallow it. A store that
 * fails is noted by the scope, whose next use throws it again.
 */
public final class StepEffects implements DurableEffects {

    private final BodyCall call;
    private final int number;
    private final Attempt attempt;
    private final StepMemory memory;
    private final Set<String> ids = new HashSet<>();
    private final Set<String> doubts = new LinkedHashSet<>(0);
    private @Nullable StepEffect running;
    private int told;
    private volatile boolean suspended;
    private volatile boolean effectOpen;
    private volatile boolean ended;

    /**
     * The steps of one attempt.
     *
     * @param number of the attempt, from 1
     */
    public StepEffects(BodyCall call, int number, Attempt attempt, StepMemory memory) {
        this.call = call;
        this.number = number;
        this.attempt = attempt;
        this.memory = memory;
    }

    /** Whether the scope waits, whatever the body made of it. */
    public boolean suspended() {
        return suspended;
    }

    /** Whether a step that must not be repeated was started and has not answered. */
    public boolean effectOpen() {
        return effectOpen;
    }

    /** What the next attempt has to know. */
    public StepMemory memory() {
        return memory;
    }

    /** The doubts about steps of this attempt. */
    public List<String> doubts() {
        return List.copyOf(doubts);
    }

    /** After this, every step throws {@code call_ended}. */
    public void end() {
        ended = true;
    }

    @Override
    public Json run(String stepId, Json input, Step body) {
        return run(stepId, input, call.definition().manifest().effect(), body);
    }

    @Override
    public Json run(String stepId, Json input, ToolEffect effect, Step body) {
        return run(stepId, input, effect, recorded -> Reconciliation.unknown(), body);
    }

    @Override
    public Json run(String stepId, Json input, ToolEffect effect, StepReconciler reconciler, Step body) {
        EffectKey key = key(stepId);
        if (memory.inDoubt().containsKey(stepId)) {
            throw inDoubt(stepId);
        }
        return remembered(stepId, () -> answer(new StepEffect(
                new StepEffect.Work(key, stepId, input, effect, reconciler, body), call, attempt)));
    }

    /** Runs a step until it has an answer, by which its body goes on. */
    private Json answer(StepEffect step) {
        try {
            Json value = perform(step);
            effectOpen = false;
            return value;
        } catch (StepEffect.StepStopped stopped) {
            throw stopped.toFailure();
        } catch (ToolException failed) {
            return switch (failed.code()) {
                case RecordedDoubts.UNSURE -> {
                    pause(() -> call.scope().sleep(step.due(), step.pause()));
                    yield answer(step.next(failed.failure()));
                }
                case RecordedDoubts.HELD -> held(step);
                default -> {
                    // a step that does not know itself whether it happened has not answered
                    effectOpen = effectOpen && failed.failure().mayHaveHappened();
                    throw failed.failure().mayHaveHappened() && failed.code().equals("in_doubt")
                            ? doubt(step)
                            : failed;
                }
            };
        }
    }

    private Json perform(StepEffect step) {
        running = step;
        effectOpen = step.work().effect() == ToolEffect.ONCE;
        try {
            return call.scope().run(step);
        } catch (FencedException unwritten) {
            if (!ended) {
                throw unwritten;
            }
            return step.said(unwritten); // the call went on without its body, which gives a late answer by it
        } finally {
            running = null;
            String opened = step.opened();
            if (opened != null) {
                call.doubts().opened(opened, step.holds());
            }
        }
    }

    /** Waits until the doubt about a step is settled. */
    private Json held(StepEffect step) {
        effectOpen = false; // the doubt is open already
        Resolution said = waiting(() -> call.scope()
                .await(call.scope().completionKey(step.work().doubtWait()), Deadline.NONE));
        HeldAnswer answer = HeldAnswer.of(said).orElseThrow(() -> doubt(step));
        return switch (answer.truth()) {
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome.Success(Json value)) -> value;
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome.Failure(ToolFailure failure)) ->
                throw new ToolException(failure);
            case Reconciliation.DidNotHappen<ToolOutcome>(String reason) -> {
                if (!answer.over()) {
                    throw step.didNotHappen(reason);
                }
                yield answer(new StepEffect(step.work().again(), call, attempt));
            }
            default -> throw doubt(step);
        };
    }

    @Override
    public Json poll(String stepId, Json input, Poll body) throws InterruptedException {
        EffectKey key = key(stepId);
        boolean found = memory.values().containsKey(stepId) || recorded(key).isPresent();
        Json value = Json.NULL;
        effectOpen = !found && call.definition().manifest().effect() == ToolEffect.ONCE; // it is asked about
        try {
            if (!found) {
                value = new StepPoll(this, call, attempt, key).ask(input, body);
            }
            effectOpen = false;
        } catch (StepEffect.StepStopped stopped) {
            throw stopped.toFailure(); // what it asks about may have happened
        } catch (ToolException failed) {
            effectOpen = effectOpen && failed.failure().mayHaveHappened();
            throw failed;
        }
        Json answer = value;
        return remembered(stepId, () -> answer(new StepEffect(new StepEffect.Work(key, stepId, input,
                ToolEffect.READ, recorded -> Reconciliation.unknown(), recorded -> answer), call, attempt)));
    }

    /** The recorded value of an effect. */
    Optional<Json> recorded(EffectKey key) {
        return scoped(() -> call.scope().peek(key));
    }

    void pause(Runnable sleep) {
        waiting(() -> {
            sleep.run();
            return Json.NULL;
        });
    }

    private ToolException doubt(StepEffect step) {
        memory.inDoubt().put(step.work().id(), step.doubtId());
        return inDoubt(step.work().id());
    }

    private ToolException inDoubt(String stepId) {
        doubts.add(memory.inDoubt().get(stepId));
        return new InDoubtException(stepId);
    }

    @Override
    public IdempotencyKey stepKey(String stepId) {
        named(stepId);
        return IdempotencyKey.of(call.call().place(), call.definition().id(), stepId);
    }

    @Override
    public CompletionKey externalEventKey(String name) {
        named(name);
        return scoped(() -> call.scope().completionKey(new WaitName("event/" + name)));
    }

    @Override
    public CompletionKey externalEventKey(String name, JsonSchema answer) {
        named(name);
        return scoped(() -> call.scope().completionKey(new WaitName("event/" + name), answer.kept()));
    }

    @Override
    public Json awaitEvent(CompletionKey key) {
        return await(key, Deadline.NONE, null);
    }

    @Override
    public Json awaitEvent(CompletionKey key, Instant deadline) {
        return await(key, new Deadline(deadline), null);
    }

    @Override
    public Json awaitEvent(CompletionKey key, @Nullable Instant deadline, String announcement) {
        return await(key, deadline == null ? Deadline.NONE : new Deadline(deadline), announcement);
    }

    private Json await(CompletionKey key, Deadline deadline, @Nullable String announcement) {
        return switch (waiting(() -> call.scope().await(key, deadline, announcement))) {
            case Resolution.Ok(Json value) -> value;
            case Resolution.Failed(ToolFailure failure) -> throw new ToolException(failure);
            case Resolution.TimedOut timedOut -> throw new ToolException(ToolFailure.ofRuntime(
                    ToolFailure.Kind.TIMEOUT, "durable_effect_event_timeout",
                    "no answer to " + key.id() + " came in time"));
            case Resolution.Cancelled(String reason) -> throw new ToolException(new ToolFailure(
                    ToolFailure.Kind.EXECUTION, "durable_effect_event_cancelled",
                    "the wait for " + key.id() + " was cancelled: " + reason,
                    ToolFailure.Source.CANCELLATION, RetryAdvice.NEVER));
        };
    }

    @Override
    public void emitProcessEvent(String type, Json payload) {
        check(type);
        String key = number + "/" + ++told;
        scoped(() -> {
            call.owner().tell(call.scope(), key, type, payload);
            return Json.NULL;
        });
    }

    @Override
    public void sleep(String stepId, Duration duration) {
        EffectKey key = key(stepId);
        remembered(stepId, () -> waiting(() -> {
            call.scope().sleep(key, duration);
            return Json.NULL;
        }));
    }

    @Override
    public Instant now(String stepId) {
        EffectKey key = key(stepId);
        return Instant.parse(
                remembered(stepId, () -> Json.string(call.scope().now(key).toString())).asString());
    }

    @Override
    public long random(String stepId) {
        return drawn(stepId, () -> Json.number(call.resources().random().nextLong())).asLong();
    }

    @Override
    public UUID uuid(String stepId) {
        return UUID.fromString(drawn(stepId, () -> Json.string(randomUuid().toString())).asString());
    }

    private Json drawn(String stepId, Supplier<Json> draw) {
        return run(stepId, Json.EMPTY_OBJECT, ToolEffect.READ, input -> draw.get());
    }

    /** A version 4 UUID from the bits of the dispatcher's own source. */
    private UUID randomUuid() {
        var random = call.resources().random();
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L,
                (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
    }

    private EffectKey key(String stepId) {
        check(stepId);
        if (!ids.add(stepId)) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                    "durable_effect_duplicate_step_id",
                    "tool " + call.definition().name() + " used step id \""
                            + stepId + "\" twice in one call; ids are unique within a call"));
        }
        return new EffectKey("step/" + number + "/" + stepId);
    }

    private void check(String id) {
        named(id);
        if (running != null) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE,
                    "durable_effects_unavailable", "a step of tool " + call.definition().name()
                            + " asked for another step; steps follow each other and do not nest"));
        }
    }

    private void named(String id) {
        if (id.isEmpty()) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST,
                    "durable_effect_empty_step_id", "tool " + call.definition().name()
                            + " used an empty step id or name; give each step a name of its own"));
        }
    }

    /** A value that an earlier attempt has recorded holds for this one too. */
    private Json remembered(String stepId, Supplier<Json> first) {
        Json known = memory.values().get(stepId);
        if (known == null) {
            known = scoped(first);
            memory.values().put(stepId, known);
        }
        return known;
    }

    /** Waiting counts as no time of the call. */
    private <T> T waiting(Supplier<T> wait) {
        return scoped(() -> {
            attempt.deadlines().pause();
            try {
                return wait.get();
            } finally {
                attempt.deadlines().resume();
            }
        });
    }

    private <T> T scoped(Supplier<T> action) {
        if (ended) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "call_ended",
                    "call " + call.call().id() + " has ended; its steps cannot be used any more"));
        }
        return attempt.shield().inside(() -> {
            try {
                return action.get();
            } catch (Suspended waiting) {
                suspended = true;
                throw waiting;
            }
        });
    }
}
