package dev.belay.tool;

import org.jspecify.annotations.Nullable;

/**
 * Marks a record, enum or sealed interface as the input of one tool and says what the tool returns. The compiler then checks
 * what bodies, hooks and replies return.
 *
 * @param <O> the output type; {@link Void} for tools that return nothing
 */
public interface ToolInput<O extends @Nullable Object> {}
