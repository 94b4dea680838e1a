package dev.belay.tool;

import org.jspecify.annotations.Nullable;

/**
 * The body of a typed tool: ordinary blocking code.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface ToolBody<I, O extends @Nullable Object> {

    /** Does the work. */
    O run(I input, ToolContext context) throws Exception;
}
