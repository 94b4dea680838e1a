package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.text;

import dev.belay.model.Message.UserMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A model for a parent, who is told "Go." and makes calls once, and for its child, who answers "helped" when it may. */
final class Delegation {

    /** The child's model has been asked. */
    final CountDownLatch asked = new CountDownLatch(1);
    /** It may answer. */
    final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final List<CallPart> calls;

    Delegation(CallPart... calls) {
        this.calls = List.of(calls);
    }

    ModelResponse answer(ModelRequest request) {
        if (((UserMessage) request.messages().getFirst()).text().equals("Go.")) {
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(calls)
                    : text(SessionBench.lastReplies(request));
        }
        asked.countDown();
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ModelException(ModelException.Kind.INTERRUPTED, "stopped");
        }
        return text("helped");
    }

    /** A model that answers nothing. */
    static ModelResponse untilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) { // a park may return for no reason
            LockSupport.park();
        }
        throw new ModelException(ModelException.Kind.INTERRUPTED, "stopped");
    }
}
