package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One more question to a reconciler that threw.
 *
 * @param call whose attempt has no answer
 * @param ended the record that says that it has none
 * @param unsure what is recorded of the last question
 * @param handed the key of the call
 */
record AskAgain(OneCall call, EffectKey ended, AttemptRecord.Unsure unsure,
        HandedKey handed) implements Effect<AttemptRecord> {

    /** A question about a call that may have handed out its key. */
    AskAgain(OneCall call, EffectKey ended, AttemptRecord.Unsure unsure) {
        this(call, ended, unsure, new HandedKey(call, true));
    }

    /** Asks until there is an answer, then waits until a doubt that holds the call is settled. Says how the attempt ended. */
    static AttemptRecord settled(OneCall call, EffectKey ended, AttemptRecord recorded) {
        AttemptRecord attempted = recorded;
        while (attempted instanceof AttemptRecord.Unsure unsure) {
            call.scope().sleepUntil(unsure.due());
            attempted = call.scope().run(new AskAgain(call, ended, unsure));
        }
        return attempted instanceof AttemptRecord.Held held
                ? new HeldCall(call, ended, held).await()
                : attempted;
    }

    @Override
    public EffectKey key() {
        return new EffectKey(ended.value() + "/asked/" + (unsure.asked() + 1));
    }

    @Override
    public Json identity() {
        return call.call().identity();
    }

    @Override
    public String kind() {
        return "reconcile";
    }

    @Override
    public void recorded(AttemptRecord attempted) {
        call.recorded(attempted);
    }

    @Override
    public Plan plan() {
        return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
    }

    @Override
    public AttemptRecord run(Running running) {
        boolean over = unsure.over() || running.isDead(unsure.owner());
        var unanswered = new Unanswered(call, ended, unsure.call(), ready(), unsure.failure(), running,
                handed)
                .ranBy(unsure.owner(), over)
                .left(unsure.left())
                .again(() -> over && unsure.failure().code().equals("in_doubt")
                        ? new AttemptRecord.Retry(unsure.failure(), Duration.ZERO, unsure.due(),
                                Duration.ZERO, unsure.call(), unsure.left().spent())
                        : null);
        return (call.scope().cancellation().isRequested() ? unanswered : unanswered.mayWait())
                .ask(unsure.asked());
    }

    private OneCall.@Nullable Ready ready() {
        try {
            return call.restore(unsure.call(), true);
        } catch (CallEnded changed) {
            return null;
        }
    }

    @Override
    public @Nullable WaitName closes(AttemptRecord attempted) {
        return handed.closedBy(attempted);
    }

    @Override
    public AttemptRecord answered(AttemptRecord unrecorded, Resolution answer) {
        return call.answered(unsure.call(), unrecorded, answer);
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
    public AttemptRecord doubt(Running started) {
        throw new IllegalStateException("a question may be repeated");
    }
}
