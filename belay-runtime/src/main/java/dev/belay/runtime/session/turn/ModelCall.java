package dev.belay.runtime.session.turn;

import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.AskedModel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model within a round, again after a fault that may pass, and stops asking when the turn is cancelled.
 *
 * <p>Concurrency: the turn's thread asks; a cancellation interrupts it from another one, but only while it asks.
 */
public final class ModelCall {

    /** A model that fails three times in a row is not there; its client has tried by itself before. */
    private static final int ATTEMPTS = 3;
    /** A turn that is asked to wait longer tries again all the same: it holds a thread meanwhile. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    private final SessionTurn turn;
    private final int round;
    private final ModelRequest request;
    private final String modelName;
    private final Thread thread = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean asking;
    private Usage lost = Usage.NONE;

    ModelCall(SessionTurn turn, int round, SessionTurn.Question question) {
        this.turn = turn;
        this.round = round;
        request = question.request();
        modelName = question.choice().model();
    }

    /**
     * A reply, or the end of the turn.
     *
     * @param reply what the model said, or null
     * @param lost what failed attempts have cost
     * @param end why there is no reply, or null
     */
    record Answer(@Nullable ModelResponse reply, Usage lost, @Nullable TurnEnd end) {}

    Answer ask() {
        Runnable off = turn.scope().onCancel(reason -> interrupt());
        try {
            for (int attempt = 1;; attempt++) {
                try {
                    return new Answer(attempt(), lost, null);
                } catch (ModelException e) {
                    lost = lost.plus(e.usage());
                    Optional<Answer> over = over(e, attempt);
                    if (over.isPresent()) {
                        return over.get();
                    }
                    pause(e, attempt);
                    turn.tell(new TurnEvent.RoundRestarted(turn.start().turn(), round,
                            String.valueOf(e.getMessage())));
                }
            }
        } finally {
            off.run();
        }
    }

    private ModelResponse attempt() {
        Model model = turn.services().settings().models().model(modelName);
        begin();
        try {
            return AskedModel.answer(model, request, this::heard);
        } finally {
            end();
        }
    }

    /** The answer if the model is not asked again; empty if it is. */
    private Optional<Answer> over(ModelException e, int attempt) {
        Optional<String> cancelled = turn.scope().cancellation().reason();
        if (cancelled.isPresent()) {
            return Optional.of(new Answer(null, lost, TurnStops.cancelled(cancelled.get())));
        }
        if (turn.services().host().stops(turn.scope().id())) {
            throw e; // the round is not recorded
        }
        return e.retryable() && attempt < ATTEMPTS && turn.mayAskAgain()
                ? Optional.empty()
                : Optional.of(new Answer(null, lost, turn.unanswered(e, lost)));
    }

    private void pause(ModelException e, int attempt) {
        Duration asked = e.retryAfter().orElse(FIRST_PAUSE.multipliedBy(1L << (attempt - 1)));
        Duration wait = asked.compareTo(LONGEST_PAUSE) < 0 ? asked : LONGEST_PAUSE;
        begin();
        try {
            turn.services().time().pause(wait);
        } finally {
            end();
        }
    }

    private void heard(ModelEvent event) {
        turn.heard(event);
        switch (event) {
            case ModelEvent.TextDelta(String chunk) ->
                turn.tell(new TurnEvent.Text(turn.start().turn(), round, chunk));
            case ModelEvent.ReasoningDelta(String chunk) ->
                turn.tell(new TurnEvent.Reasoning(turn.start().turn(), round, chunk));
            default -> {
            }
        }
    }

    private void begin() {
        lock.lock();
        try {
            asking = true;
        } finally {
            lock.unlock();
        }
        if (turn.scope().cancellation().isRequested()) {
            interrupt();
        }
    }

    /** Clears an interrupt that was meant for the asking alone. */
    private void end() {
        lock.lock();
        try {
            asking = false;
            if (!turn.services().host().stops(turn.scope().id())) {
                Thread.interrupted(); // an interrupt of ours, or of a client that left it set
            }
        } finally {
            lock.unlock();
        }
    }

    private void interrupt() {
        lock.lock();
        try {
            if (asking) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
