package dev.belay.tool.option;

import dev.belay.tool.ToolEffect;
import org.jspecify.annotations.Nullable;

/**
 * What a tool says about itself in the words of MCP's tool annotations. Hints for display; Belay decides by
 * {@link ToolEffect}. Null means: not said.
 *
 * @param readOnly {@code readOnlyHint}
 * @param destructive {@code destructiveHint}
 * @param idempotent {@code idempotentHint}
 * @param openWorld {@code openWorldHint}
 */
public record BehaviorHints(@Nullable Boolean readOnly, @Nullable Boolean destructive,
        @Nullable Boolean idempotent,
        @Nullable Boolean openWorld) {

    /** Nothing said. */
    public static final BehaviorHints NONE = new BehaviorHints(null, null, null, null);

    /** What an effect class implies. */
    public static BehaviorHints of(ToolEffect effect) {
        return switch (effect) {
            case READ -> new BehaviorHints(true, false, true, null);
            case IDEMPOTENT -> new BehaviorHints(false, null, true, null);
            case ONCE -> new BehaviorHints(false, null, false, null);
        };
    }
}
