package dev.belay.model.langchain4j;

import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.ResponseReducer;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries one answer from the provider's threads to the caller's.
 *
 * <p><b>Concurrency.</b> The provider's threads only put signals into a queue, which is bounded by the length of the answer.
 * Only the caller's thread takes them out, turns them into events and calls the listener. The first of "complete" and "error"
 * ends the answer; signals after it, or after the caller has left, are dropped.
 */
final class StreamedAnswer implements StreamingChatResponseHandler {

    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final String id;
    private final String provider;
    /** Whether the listener has been called and has not returned; confined to the caller's thread. */
    private boolean listening;
    private volatile boolean gone;
    private volatile @Nullable StreamingHandle handle;

    private sealed interface Signal {

        record Text(@Nullable String chunk) implements Signal {}

        record Thinking(@Nullable String chunk) implements Signal {}

        record CallPiece(PartialToolCall piece) implements Signal {}

        record CallWhole(CompleteToolCall call) implements Signal {}

        record Complete(@Nullable ChatResponse response) implements Signal {}

        record Failed(Throwable error) implements Signal {}
    }

    StreamedAnswer(String id, String provider) {
        this.id = id;
        this.provider = provider;
    }

    /** Starts the thread that asks, and reads the answer to its end. */
    ModelResponse await(Thread asking, ModelListener listener) {
        ResponseReducer reducer = new ResponseReducer();
        ChatEvents events = new ChatEvents(id, provider, event -> {
            reducer.accept(event);
            listening = true;
            listener.on(event);
            listening = false;
        });
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(reducer);
        }
        asking.start();
        try {
            while (true) {
                switch (signals.take()) {
                    case Signal.Text(String chunk) -> events.text(chunk);
                    case Signal.Thinking(String chunk) -> events.thinking(chunk);
                    case Signal.CallPiece(PartialToolCall piece) -> events.callPiece(piece);
                    case Signal.CallWhole(CompleteToolCall call) -> events.callWhole(call);
                    case Signal.Complete(ChatResponse response) -> {
                        events.complete(response);
                        return reducer.finish();
                    }
                    case Signal.Failed(Throwable error) -> throw failed(error, reducer);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(reducer);
        } catch (RuntimeException e) { // the signals are no answer, unless the listener threw
            throw listening ? e : failed(e, reducer);
        } finally {
            leave(asking);
        }
    }

    /** Stops the provider, unless it has answered. */
    private void leave(Thread asking) {
        gone = true;
        cancel(handle);
        asking.interrupt();
    }

    /** Keeps the handle that stops the stream; stops it at once if the caller has left already. */
    private void hold(StreamingHandle open) {
        handle = open;
        if (gone) {
            cancel(open);
        }
    }

    private void cancel(@Nullable StreamingHandle open) {
        if (open == null || open.isCancelled()) {
            return;
        }
        try {
            open.cancel();
        } catch (RuntimeException unsupported) {
            handle = null; // not every provider supports it; the interrupt remains
        }
    }

    private static ModelException interrupted(ResponseReducer reducer) {
        ModelException error = new ModelException(ModelException.Kind.INTERRUPTED,
                "the thread that asked the model was interrupted");
        return reducer.partial().map(error::withPartial).orElse(error);
    }

    private ModelException failed(Throwable error, ResponseReducer reducer) {
        if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
            throw fatal;
        }
        ModelException described = ChatFailures.of(error, id);
        return reducer.partial().map(described::withPartial).orElse(described);
    }

    private void put(Signal signal) {
        if (!gone) {
            signals.add(signal);
        }
    }

    @Override
    public void onPartialResponse(String chunk) {
        put(new Signal.Text(chunk));
    }

    @Override
    public void onPartialResponse(PartialResponse partial, PartialResponseContext context) {
        hold(context.streamingHandle());
        onPartialResponse(partial.text());
    }

    @Override
    public void onPartialThinking(PartialThinking partial) {
        put(new Signal.Thinking(partial.text()));
    }

    @Override
    public void onPartialThinking(PartialThinking partial, PartialThinkingContext context) {
        hold(context.streamingHandle());
        onPartialThinking(partial);
    }

    @Override
    public void onPartialToolCall(PartialToolCall partial) {
        put(new Signal.CallPiece(partial));
    }

    @Override
    public void onPartialToolCall(PartialToolCall partial, PartialToolCallContext context) {
        hold(context.streamingHandle());
        onPartialToolCall(partial);
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall call) {
        put(new Signal.CallWhole(call));
    }

    @Override
    public void onCompleteResponse(@Nullable ChatResponse response) {
        handle = null;
        put(new Signal.Complete(response));
    }

    @Override
    public void onError(Throwable error) {
        handle = null;
        put(new Signal.Failed(error));
    }
}
