package dev.belay.runtime.session.body;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.session.ChildSession;
import dev.belay.runtime.session.EventCursor;
import dev.belay.runtime.session.TurnListener;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.inbox.AcceptedInput;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.stream.Hearing;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A turn that a body has started in a session below its own.
 *
 * <p>Durability: the ids of session and input are derived from the call, so that starting again finds the same turn. In a resumable
 * body the turn settles an event of the call just before it commits, and no thread waits for it until then.
 */
final class ChildTurn implements ChildSession.Turn {

    private final SessionStreams streams;
    private final AcceptedInput input;
    private final EventCursor from;
    private final @Nullable DurableEffects steps;
    private final @Nullable CompletionKey event;
    private final Consumer<TurnResult.Ended> ended;
    private final CallReference call;

    private ChildTurn(SessionStreams streams, AcceptedInput input, EventCursor from,
            @Nullable DurableEffects steps, @Nullable CompletionKey event, Consumer<TurnResult.Ended> ended,
            CallReference call) {
        this.call = call;
        this.streams = streams;
        this.input = input;
        this.from = from;
        this.steps = steps;
        this.event = event;
        this.ended = ended;
    }

    /**
     * Starts it.
     *
     * @param settings how models are asked in it
     * @param call with which it ends, or null
     * @param steps of a resumable body, else null
     * @param ended takes the result when the body has it
     * @param by the call that starts it
     */
    static ChildTurn start(SessionBodies around, SessionId child, String name, String text,
            TurnSettings settings, @Nullable String call, @Nullable DurableEffects steps,
            Consumer<TurnResult.Ended> ended, CallReference by) {
        CompletionKey event = steps == null ? null : steps.externalEventKey(child + "/" + name);
        var input = new TurnInput(Message.user(text), settings, null, Json.EMPTY_OBJECT,
                around.inbox().now(), event == null ? null : event.token(), call);
        EventCursor from = around.streams().of(child).now();
        around.inbox().accept(child, name, input);
        return new ChildTurn(around.streams(), new AcceptedInput(around.inbox(), child, name, null), from,
                steps, event, ended, by);
    }

    @Override
    public TurnResult.Ended await() throws InterruptedException {
        TurnResult.Ended result = steps != null && event != null
                ? TurnResult.Ended.of(steps.awaitEvent(event))
                : awaitHere();
        ended.accept(result);
        return result;
    }

    /** Holds the thread of the body, however long the turn rests; the turn of the body rests meanwhile. */
    private TurnResult.Ended awaitHere() throws InterruptedException {
        Runnable over = input.inbox()
                .rests()
                .begin(call.scope(), call.round() + "/" + call.index(),
                        new RestingScopes.Below.Turn(input.session()));
        try {
            return input.awaitCommit();
        } finally {
            over.run();
        }
    }

    @Override
    public TurnResult.Ended stream(TurnListener listener) throws InterruptedException {
        return Hearing.during(streams, input.session(), from, listener, this::await);
    }

    @Override
    public CancelReceipt cancel(String reason) {
        return input.cancel(reason, null);
    }
}
