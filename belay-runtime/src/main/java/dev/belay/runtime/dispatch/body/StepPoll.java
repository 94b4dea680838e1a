package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.DurableEffects.Poll;
import dev.belay.tool.context.DurableEffects.Polled;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The questions of one poll. Confined to the body's thread. <b>Recovery.</b> Each question without an answer leaves one record, the moment
 * of the next question; an entry finds the last of them and goes on from there.
 *
 * @param steps of the body
 * @param attempt may be stopped between two questions, or in one
 * @param key of the record of the answer
 */
record StepPoll(StepEffects steps, BodyCall call, Attempt attempt, EffectKey key) {

    /** Asks until there is an answer; throws {@link dev.belay.tool.context.Suspended} between two questions. */
    Json ask(Json input, Poll body) throws InterruptedException {
        int before = 0;
        Instant due = null;
        Optional<Json> wake = steps.recorded(wake(0));
        while (wake.isPresent()) {
            due = Instant.parse(wake.get().asString());
            before++;
            wake = steps.recorded(wake(before));
        }
        if (due != null) {
            Instant next = due;
            steps.pause(() -> call.scope().sleepUntil(next));
        }
        for (int asked = before;; asked++) {
            if (attempt.isClosing() && attempt.whyStopped().isEmpty()) {
                throw new StepEffect.StepStopped(); // what is asked about is left to the next process
            }
            boolean knew = attempt.token().isRequested();
            switch (said(body, input, asked)) {
                case Polled.Found(Json value) -> {
                    return value;
                }
                case Polled.Later(Duration after) -> {
                    if (knew) {
                        throw new StepEffect.StepStopped();
                    }
                    if (attempt.whyStopped().isEmpty()) {
                        var next = new Wake(wake(asked), after, call.resources().time());
                        steps.pause(() -> call.scope().sleepUntil(call.scope().run(next)));
                    }
                }
            }
        }
    }

    /** One question. A poll that is stopped meanwhile is asked once more, so that it can end what it waits for. */
    private Polled said(Poll body, Json input, int asked) throws InterruptedException {
        try {
            return body.ask(input, asked);
        } catch (InterruptedException e) {
            if (attempt.whyStopped().isEmpty()) {
                throw e;
            }
            return new Polled.Later(Duration.ZERO);
        }
    }

    /** The moment of a question. An entry that finds an answer recorded does not ask for it, so it has no place in the order. */
    private record Wake(EffectKey key, Duration after, TimeSource time) implements Effect<Instant> {

        @Override
        public Json identity() {
            return Json.NULL;
        }

        @Override
        public String kind() {
            return "wake";
        }

        @Override
        public boolean isOrdered() {
            return false;
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, Json.NULL);
        }

        @Override
        public Instant run(Running running) {
            return time.now().plus(after);
        }

        @Override
        public Json encode(Instant moment) {
            return Json.string(moment.toString());
        }

        @Override
        public Instant decode(Json recorded) {
            return Instant.parse(recorded.asString());
        }

        @Override
        public Instant doubt(Running started) {
            throw new IllegalStateException("a moment is never in doubt");
        }
    }

    private EffectKey wake(int asked) {
        return new EffectKey("wake/" + (asked + 1) + "/" + key.value());
    }
}
