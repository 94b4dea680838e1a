package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.FailedTry;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.asking.UnansweredException;
import dev.belay.runtime.session.history.TooLongException;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.tool.ToolEffect;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One round with the tries that come before its answer.
 *
 * <p><b>Durability.</b> A failed try is recorded before the turn waits, with the moment of the next one. The record of the round is that
 * of the try that answers, or of the failure that ends the turn. <b>Recovery.</b> Recorded tries are read, not made again; the
 * turn goes on to wait until the moment that the last one names. Confined to the thread of the turn's scope.
 */
public final class RoundTries {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private final SessionTurn turn;
    private final int round;
    private final String previous;
    private Outage outage = Outage.NONE;

    /**
     * The tries of a round.
     *
     * @param round from 1
     * @param previous hash of the record of the round before
     */
    public RoundTries(SessionTurn turn, int round, String previous) {
        this.turn = turn;
        this.round = round;
        this.previous = previous;
    }

    /** The record of the round; throws what {@link SessionTurn#waitForModel} throws while its model is not to be asked. */
    public RoundRecord run() {
        EffectScope scope = turn.scope();
        boolean replays = turn.replays();
        if (replays) {
            turn.history().replay(round);
            replay();
        }
        if (!replays || scope.peek(new EffectKey("round/" + round)).isEmpty()) {
            if (round == 1 && outage.tries() == 0) {
                turn.tell(new TurnEvent.TurnStarted(turn.start().turn(), turn.start().inputId()));
            }
            await(null);
        }
        while (true) {
            try {
                return scope.run(new RoundEffect(turn, round, previous, outage));
            } catch (UnansweredException unanswered) {
                apply(scope.run(new TryEffect(outage.tries() + 1, unanswered.failed())));
                tell(unanswered.failed());
                await(unanswered.failure());
            } catch (TooLongException tooLong) {
                turn.history().compact(round, tooLong);
            }
        }
    }

    /** Reads the tries that are recorded. */
    private void replay() {
        Optional<Json> known = recorded();
        while (known.isPresent()) {
            apply(FailedTry.of(known.get()));
            known = recorded();
        }
    }

    private Optional<Json> recorded() {
        return turn.scope().peek(FailedTry.key(round, outage.tries() + 1));
    }

    private void apply(FailedTry failed) {
        outage = outage.after(failed);
        turn.state().failed(round, outage.tries(), failed);
    }

    /** A turn that is cancelled does not wait: the round records that. */
    private void await(@Nullable ModelException failure) {
        FailedTry last = outage.last();
        if (last != null && !turn.scope().cancellation().isRequested()
                && turn.services().time().now().isBefore(last.due())) {
            turn.waitForModel(round, outage, last.due(), failure);
        }
    }

    private void tell(FailedTry failed) {
        Instant until = Objects.requireNonNull(outage.until(), "the first try sets the end");
        turn.tell(new TurnEvent.ModelWaiting(turn.start().turn(), round, outage.tries(), failed.code(),
                failed.message(), failed.due(), until));
        LOG.atLevel(outage.tries() == 1 ? Level.WARN : Level.INFO)
                .log("model_waiting: try {} of round {} in turn {} of session {} failed ({}: {}); the model is asked"
                        + " again at {}, and patience ends at {}", outage.tries(), round, turn.start().turn(),
                        turn.start().session(), failed.code(), failed.message(), failed.due(), until);
    }

    /** The record of a try that has failed. It takes no place in the order of effects: how many there are is chance. */
    private final class TryEffect implements Effect<FailedTry> {

        private final int number;
        private final FailedTry failed;

        TryEffect(int number, FailedTry failed) {
            this.number = number;
            this.failed = failed;
        }

        @Override
        public EffectKey key() {
            return FailedTry.key(round, number);
        }

        @Override
        public String kind() {
            return "try";
        }

        @Override
        public boolean isOrdered() {
            return false;
        }

        @Override
        public Json identity() {
            return Json.write(out -> out.beginObject().name("after").value(previous).endObject());
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
        }

        @Override
        public FailedTry run(Running running) {
            return failed;
        }

        @Override
        public Json encode(FailedTry value) {
            return value.toJson();
        }

        @Override
        public FailedTry decode(Json recorded) {
            return FailedTry.of(recorded);
        }

        /** Never asked: it may be repeated. */
        @Override
        public FailedTry doubt(Running started) {
            return failed;
        }
    }
}
