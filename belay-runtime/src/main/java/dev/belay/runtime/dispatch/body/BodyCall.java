package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolDefinition;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One call as its body is run.
 *
 * @param definition the tool of today
 * @param call what was asked for
 * @param scope where it is recorded
 * @param total how long all attempts may take together
 * @param resources shared with other bodies
 * @param owner of the call
 * @param guard equal for calls that would do the same
 * @param progress takes the messages of the body
 */
public record BodyCall(ToolDefinition definition, PlacedCall call, EffectScope scope, Duration total,
        BodyResources resources, CallOwner owner, Supplier<String> guard, Consumer<String> progress) {}
