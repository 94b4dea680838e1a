package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Attempt;
import dev.belay.runtime.dispatch.body.AttemptBody;
import dev.belay.runtime.dispatch.body.BodyCall;
import dev.belay.runtime.dispatch.body.BodyEnd;
import dev.belay.runtime.dispatch.body.RuntimeToolContext;
import dev.belay.runtime.dispatch.record.AskedAnswer;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.BodyChanges;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.store.journal.Pause;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.PreparedCall;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stage 7: one attempt, as it is recorded. The first one runs stages 1 to 6 in its {@link #plan}, that is, only if nothing is
 * recorded.
 *
 * <p><b>Concurrency.</b> Confined to the call's thread; the body has its own ({@link Attempt}). <b>Durability.</b> One record
 * holds the preparation and what became of the attempt. It is written before the body starts, too, if the effect is
 * {@code ONCE}, if a resource is taken, or if an {@code IDEMPOTENT} call was edited, prepared or approved; and when such a body
 * takes its completion key. The body of a resumable tool does not run in here: its record only says that it may be entered.
 * <b>Recovery.</b> Found started: what must not be repeated is in doubt ({@link #doubt}); the rest runs again with what was
 * recorded, unless the tool's meaning has changed. A key that was taken and settled meanwhile answers for the body.
 */
final class AttemptEffect implements Effect<AttemptRecord> {

    private final OneCall call;
    private final int number;
    private final Before before;
    private final AttemptRecord.@Nullable Retry failed;
    private final HandedKey handed;
    private Effect.@Nullable Note note;
    private @Nullable Preparation recorded;
    private OneCall.@Nullable Ready ready;
    private @Nullable AttemptRecord early;
    private EffectScope.@Nullable Held held;
    private boolean performed;
    private boolean stopped;

    /**
     * What stands before an attempt.
     *
     * @param asked how many attempts have asked a person, and run nothing
     * @param failed the last one that failed, or null
     * @param decided what a person has decided about the attempt before, or null
     */
    record Before(int asked, AttemptRecord.@Nullable Retry failed, AskedCall.@Nullable Decided decided) {

        /** What is recorded of the call; null if that is nothing. */
        @Nullable
        Preparation call() {
            return decided != null ? decided.asked().call() : failed == null ? null : failed.call();
        }

        /** Whether a body of the call may have run. */
        boolean begun() {
            return failed != null || (decided != null && decided.begun());
        }
    }

    /**
     * An attempt.
     *
     * @param number from 1
     */
    AttemptEffect(OneCall call, int number, Before before) {
        this.call = call;
        this.number = number;
        this.before = before;
        this.failed = before.failed();
        this.handed = new HandedKey(call, before.begun());
        this.recorded = before.call();
    }

    /** Whether this entry did something, rather than read it from the record. */
    boolean performed() {
        return performed;
    }

    /** The resource of a resumable body, if it was taken here. */
    EffectScope.@Nullable Held held() {
        return held;
    }

    @Override
    public EffectKey key() {
        return key(number);
    }

    static EffectKey key(int number) {
        return new EffectKey("attempt/" + number);
    }

    @Override
    public Json identity() {
        return call.call().identity();
    }

    @Override
    public String kind() {
        return "attempt";
    }

    @Override
    public boolean runsAhead() {
        return failed == null && before.decided() == null && call.tools().onlyReads(call.call().name());
    }

    @Override
    public List<String> pausedBy() {
        return List.of(Pause.Target.EVERYTHING.key(), Pause.Type.TOOL.word() + "/" + call.call().name());
    }

    @Override
    public void recorded(AttemptRecord attempted) {
        call.recorded(attempted, attempted instanceof AttemptRecord.Asked
                ? AttemptRecord.Asked.wait(Integer.toString(number))
                : AttemptRecord.COMPLETION);
    }

    @Override
    public Plan plan() {
        performed = true;
        if (number == 1 && call.settings().told().firstStart(call.events().call())) {
            call.events().started();
        }
        try {
            Optional<ToolOutcome> accepted = handed.accepted();
            if (accepted.isPresent()) {
                throw new CallEnded(AfterHooks.apply(call, recorded(), accepted.get()));
            }
            OneCall.Ready planned = ready();
            OneCall.Asks asks = planned.asks();
            if (asks != null) {
                var asking = new AskedCall.Asking(call, Integer.toString(number), planned, asks);
                early = asking.record(null);
                note = asking.note();
                return Plan.of(ToolEffect.READ, call.hooks().started(asking.input()));
            }
            ready = planned;
            return plan(planned);
        } catch (CallEnded ended) {
            early = new AttemptRecord.Ended(ended.outcome());
            note = ended.note();
        } catch (VirtualMachineError broken) {
            early = AttemptSettlement.broken(call.call().name(), false, broken);
        }
        return Plan.of(ToolEffect.READ, Preparation.NONE);
    }

    /** What is recorded of a call that was begun. */
    private Preparation recorded() {
        return ready != null ? ready.preparation() : Objects.requireNonNull(recorded);
    }

    /** Takes over what the start of the attempt holds, whose body may have handed out the key. */
    private Preparation restarted(Running started) {
        handed.handedOut(true);
        call.hooks().restarted(started.input());
        Preparation found = Preparation.of(started.input());
        recorded = found;
        return found;
    }

    private OneCall.Ready ready() throws CallEnded {
        Optional<String> cancelled = call.scope().cancellation().reason();
        if (cancelled.isPresent()) {
            throw new CallEnded(new ToolOutcome.Cancelled(cancelled.get()));
        }
        return before.decided() == null && failed == null
                ? new CallStages(call).run()
                : AskedCall.ready(call, before);
    }

    private Plan plan(OneCall.Ready planned) throws CallEnded {
        var manifest = planned.definition().manifest();
        Json input = call.hooks().started(planned.preparation().toJson());
        Effect.Follows follows = before.decided() == null ? null : before.decided().follows();
        if (manifest.resumable()) {
            boolean once = manifest.effect() == ToolEffect.ONCE;
            return new Plan(ToolEffect.READ, input, false, planned.resource(),
                    planned.preparation().fingerprint(), once ? call.guard(planned.preparation()) : null,
                    follows);
        }
        boolean startFirst = follows != null
                || (manifest.effect() == ToolEffect.IDEMPOTENT && planned.decided());
        return new Plan(manifest.effect(), input, startFirst, planned.resource(),
                planned.preparation().fingerprint(),
                manifest.effect() == ToolEffect.ONCE ? call.guard(planned.preparation()) : null, follows);
    }

    @Override
    public AttemptRecord run(Running running) {
        performed = true;
        AttemptRecord over = early;
        if (over != null) {
            return leaving(over, running);
        }
        try {
            OneCall.Ready planned = ready == null ? call.restore(restarted(running), true) : ready;
            ready = planned;
            ToolOutcome said = handed.accepted().orElse(null);
            if (said != null) {
                return new AttemptRecord.Ended(AfterHooks.apply(call, planned, said)).with(leftByDead());
            }
            return planned.definition().manifest().resumable()
                    ? entered(planned, running)
                    : body(planned, running);
        } catch (CallEnded ended) {
            return changed(ended, running);
        }
    }

    /** The tool of a call that was begun has changed: a person is asked, or the call ends. */
    private AttemptRecord changed(CallEnded ended, Running running) {
        CallEnded over = ended;
        if (running.again()) {
            try {
                var asking = AskedCall.changed(call, number, ended, Preparation.of(running.input()));
                note = asking.note();
                return leaving(asking.record(asking.asks().request().toJson()), running);
            } catch (CallEnded refused) {
                over = refused;
            }
        }
        Optional<ToolOutcome> said = handed.accepted()
                .map(answer -> AfterHooks.apply(call, Preparation.of(running.input()), answer));
        note = said.isPresent() ? null : over.note();
        return leaving(new AttemptRecord.Ended(said.orElse(over.outcome())), running);
    }

    /** Opens the wait for an answer, and notes what was decided, with a record that is the first of its attempt. */
    private AttemptRecord leaving(AttemptRecord over, Running running) {
        if (note != null) {
            running.notes(note);
        }
        if (over instanceof AttemptRecord.Asked asked) {
            running.opens(
                    new OpenWait(AttemptRecord.Asked.wait(Integer.toString(number)), OpenWait.Kind.COMPLETION,
                            asked.expires(),
                            null));
        }
        return over;
    }

    /** The resource is kept for the body, which runs after this record. */
    private AttemptRecord entered(OneCall.Ready planned, Running running) throws CallEnded {
        if (planned.resource() != null) {
            held = new EffectScope.Held(running.fence(), running.keepResource());
        }
        return new AttemptRecord.Entered(planned.preparation());
    }

    private AttemptRecord body(OneCall.Ready planned, Running running) {
        var definition = planned.definition();
        Duration used = failed == null ? Duration.ZERO : failed.used();
        BodyCall body = call.body(planned);
        var attempt = new Attempt(body, used);
        ToolEffect effect = definition.manifest().effect();
        var context = new RuntimeToolContext(body, attempt, new RuntimeToolContext.Powers(
                running::recordStart, running.fence(), null));
        var prepared = new PreparedCall(definition, planned.arguments(), planned.preparation().payload(),
                context.given());
        BodyEnd end;
        boolean answered = false;
        try {
            end = attempt.run(new AttemptBody(() -> call.tools().provider().execute(prepared),
                    thread -> running.onThread(thread, definition.name()), running::keepResource,
                    late -> call.scope().lateSink(key()).accept(late), false));
            answered = end instanceof BodyEnd.Answered;
        } finally {
            if (!attempt.hasBegun()) {
                running.notBegun();
            }
            context.end(answered);
            handed.handedOut(context.keyTaken());
        }
        call.hooks().body(context.left().changes());
        return new AttemptSettlement(call, planned,
                new AttemptSettlement.Place(number, number - before.asked()),
                used.plus(attempt.deadlines().used()),
                attempt.isOver(), handed)
                .settle(end, context.keyTaken(), effect == ToolEffect.ONCE, running)
                .with(context.left().after(failed == null ? List.of() : failed.spent()));
    }

    @Override
    public Json encode(AttemptRecord value) {
        return call.hooks().recorded(value.toJson());
    }

    @Override
    public AttemptRecord decode(Json recorded) {
        return AttemptRecord.of(call.hooks().read(recorded));
    }

    @Override
    public void wasStopped() {
        stopped = true;
    }

    /** Asks the completion key, then the reconciler of the tool, how a body ended that was started and left no record. */
    @Override
    public AttemptRecord doubt(Running started) {
        performed = true;
        Preparation began = restarted(started);
        try {
            ready = call.restore(began, true);
        } catch (CallEnded changed) {
            return unanswered(began, Completion.failure(changed.outcome()), started)
                    .holds(changed.asks() != null
                            && call.settings().gate().mode() == ApprovalMode.PARK)
                    .ask(0);
        }
        OneCall.Ready found = ready;
        var failure = ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "in_doubt",
                "tool " + found.definition().name() + " started and left no outcome, because "
                        + (stopped ? "the program that ran it was stopped" : "its process died"));
        return unanswered(began, failure, started).mayWait()
                .again(() -> started.startAgain(call.guard(began)) ? body(found, started) : null)
                .ask(0);
    }

    private Unanswered unanswered(Preparation recorded, ToolFailure failure, Running started) {
        return new Unanswered(call, key(), recorded, ready, failure, started, handed)
                .ranBy(started.owner(), started.isDead(started.owner()))
                .left(leftByDead());
    }

    private BodyChanges leftByDead() {
        return new BodyChanges(List.of(), call.dispatch().owner().leftByDead(call.events().call()))
                .after(failed == null ? List.of() : failed.spent());
    }

    @Override
    public @Nullable WaitName closes(AttemptRecord attempted) {
        return handed.closedBy(attempted);
    }

    @Override
    public AttemptRecord answered(AttemptRecord unrecorded, Resolution answer) {
        return call.answered(recorded(), unrecorded, answer);
    }

    /** The approval was taken back before the body could begin. */
    @Override
    public AttemptRecord overruled(Resolution now) {
        performed = true;
        return new AttemptRecord.Ended(AskedAnswer.of(now)
                .outcome()
                .orElseGet(() -> new ToolOutcome.Rejected("a person has answered otherwise meanwhile")));
    }

    @Override
    public AttemptRecord refused(String doubt) {
        performed = true;
        return new AttemptRecord.Ended(new ToolOutcome.Failure(Effect.unsettled(doubt)));
    }

    @Override
    public AttemptRecord cancelledBeforeStart(String reason) {
        performed = true;
        return new AttemptRecord.Ended(new ToolOutcome.Cancelled(reason));
    }
}
