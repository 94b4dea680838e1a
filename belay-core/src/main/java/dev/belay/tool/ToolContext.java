package dev.belay.tool;

import dev.belay.tool.context.Attachments;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DirectModel;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.Fence;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Progress;
import java.time.Instant;
import java.util.Optional;

/**
 * The capabilities of a body. Each is a method; there is no way to the host itself. After the
 * call has ended, every method throws a {@link ToolException} with code {@code call_ended}; a capability that the place of the
 * call does not have throws one with {@code capability_unavailable}.
 *
 * <p>Confined to one call; the body may use it from several threads.
 */
public interface ToolContext {

    /** The id of this call, as the model knows it. */
    CallId callId();

    /** The name of this intended effect, the same on every attempt. */
    IdempotencyKey idempotencyKey();

    /** When the call must be over, if there is such a moment. */
    Optional<Instant> deadline();

    /** Whether the call should end. */
    Cancellation cancellation();

    /** Where to report progress. */
    Progress progress();

    /** The key by which this call can be completed from outside; taking it allows the body to return {@code pending}. */
    CompletionKey completionKey();

    /** Bytes kept beside the conversation. */
    Attachments attachments();

    /** A model to ask once. */
    DirectModel model();

    /** Steps of a resumable body; {@code durable_effects_unavailable} where there is no effect host. */
    DurableEffects durable();

    /** The fence of the resource or scope this body runs under. */
    Fence fence();
}
