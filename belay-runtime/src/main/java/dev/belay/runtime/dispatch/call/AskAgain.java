package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.tool.ToolEffect;
import java.time.Duration;
import java.util.List;

/**
 * One more question to a reconciler that threw.
 *
 * @param call whose attempt has no answer
 * @param number which attempt
 * @param unsure what is recorded of the last question
 */
record AskAgain(OneCall call, int number, AttemptRecord.Unsure unsure) implements Effect<AttemptRecord> {

    @Override
    public EffectKey key() {
        return new EffectKey("attempt/" + number + "/asked/" + (unsure.asked() + 1));
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
        OneCall.Ready ready;
        try {
            ready = call.restore(unsure.call(), true);
        } catch (CallEnded changed) {
            ready = null;
        }
        var unanswered = new Unanswered(call, number, unsure.call(), ready, unsure.failure(), running)
                .over(unsure.over())
                .again(() -> unsure.over()
                        ? new AttemptRecord.Retry(unsure.failure(), Duration.ZERO, unsure.due(),
                                Duration.ZERO, unsure.call(), List.of())
                        : null);
        return (call.scope().cancellation().isRequested() ? unanswered : unanswered.mayWait())
                .ask(unsure.asked());
    }

    @Override
    public Json encode(AttemptRecord value) {
        return value.toJson();
    }

    @Override
    public AttemptRecord decode(Json recorded) {
        return AttemptRecord.of(recorded);
    }

    @Override
    public AttemptRecord doubt(Running started) {
        throw new IllegalStateException("a question may be repeated");
    }
}
