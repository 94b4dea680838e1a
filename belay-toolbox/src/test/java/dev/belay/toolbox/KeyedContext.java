package dev.belay.toolbox;

import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DirectModel;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Progress;
import java.time.Instant;
import java.util.Optional;

/** A context that knows its key and nothing else, for calls that are attempted again. */
public record KeyedContext(IdempotencyKey idempotencyKey) implements ToolContext {

    /** With a key of its own. */
    public static KeyedContext of(ToolDefinition tool) {
        return new KeyedContext(
                IdempotencyKey.of(new IdempotencyKey.Place(Incarnation.random(), 0, 0, 0), tool.id()));
    }

    @Override
    public CallId callId() {
        return CallId.of(0, 0);
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.empty();
    }

    @Override
    public Cancellation cancellation() {
        return Cancellation.NEVER;
    }

    @Override
    public Progress progress() {
        return Progress.SILENT;
    }

    @Override
    public CompletionKey completionKey() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Attachments attachments() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DirectModel model() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DurableEffects durable() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Fence fence() {
        throw new UnsupportedOperationException();
    }
}
