package dev.belay.runtime.session.turn;

import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.plugin.engine.OutputHooks;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.AskedModel;
import dev.belay.runtime.session.state.Question;

/**
 * Asks a model once within a round, and stops asking when the turn is cancelled.
 *
 * <p>Concurrency: the turn's thread asks; a cancellation interrupts it from another one, but only while it asks.
 */
public final class ModelCall {

    private final SessionTurn turn;
    private final int round;
    private final ModelRequest request;
    private final String modelName;
    private final OutputHooks output;
    private final Thread thread = Thread.currentThread();
    private boolean asking;

    ModelCall(SessionTurn turn, int round, Question question, OutputHooks output) {
        this.turn = turn;
        this.round = round;
        request = question.request();
        modelName = question.choice().model();
        this.output = output;
    }

    /** The answer; throws {@link dev.belay.model.ModelException} if there is none. The client's own retries are off: the turn has its own. */
    ModelResponse ask() {
        Model model = turn.services().settings().models().model(modelName).withoutRetries();
        Runnable off = turn.scope().onCancel(reason -> interrupt());
        begin();
        turn.scope().asks("round " + round);
        try {
            ModelResponse answer = AskedModel.answer(model, request, this::heard);
            turn.scope().asks(null);
            return answer;
        } finally {
            end();
            off.run();
        }
    }

    private void heard(ModelEvent event) {
        if (event instanceof ModelEvent.TextDelta(String chunk)) {
            output.chunks(chunk).forEach(piece -> tell(new ModelEvent.TextDelta(piece)));
        } else {
            tell(event);
        }
    }

    private void tell(ModelEvent event) {
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
        synchronized (this) {
            asking = true;
        }
        if (turn.scope().cancellation().isRequested()) {
            interrupt();
        }
    }

    /** Clears an interrupt that was meant for the asking alone. */
    private synchronized void end() {
        asking = false;
        if (!turn.services().host().stops(turn.scope().id())) {
            Thread.interrupted(); // an interrupt of ours, or of a client that left it set
        }
    }

    private synchronized void interrupt() {
        if (asking) {
            thread.interrupt();
        }
    }
}
