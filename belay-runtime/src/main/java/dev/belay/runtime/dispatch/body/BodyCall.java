package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.context.HostSupplied;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call as its body is run.
 *
 * @param definition the tool of today
 * @param call what was asked for
 * @param scope where it is recorded
 * @param total how long all attempts may take together
 * @param resources shared with other bodies
 * @param owner of the call
 * @param doubts what doubts about its steps say of it
 * @param frozen how it was prepared
 * @param progress takes the messages of the body
 */
public record BodyCall(ToolDefinition definition, PlacedCall call, EffectScope scope, Duration total,
        BodyResources resources, CallOwner owner, Doubted doubts, HostSupplied.Frozen frozen,
        Consumer<String> progress) {

    /** The call as one that may have happened. */
    public interface Doubted {

        /** Equal for calls that would do the same. */
        String guard();

        /** The resource that it holds, or null. */
        @Nullable
        String resource();

        /**
         * A doubt about a step of it is recorded.
         *
         * @param doubt its id
         * @param holds whether the step waits until it is settled
         */
        void opened(String doubt, boolean holds);
    }
}
