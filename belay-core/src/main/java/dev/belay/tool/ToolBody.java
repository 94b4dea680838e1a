package dev.belay.tool;

import dev.belay.tool.context.ToolContexts;
import java.util.List;
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

    /** The types of contexts that the body asks for, beside {@link ToolContext}; a tool whose place has none of them is refused. */
    default List<Class<?>> contexts() {
        return List.of();
    }

    /**
     * A body that asks for more than a {@link ToolContext}, for example for a {@code SessionToolContext} of the runtime.
     *
     * @param type what it asks for; a call that does not have it fails with {@code capability_unavailable}
     * @param body gets its input and that context
     */
    static <I, C extends ToolContext, O extends @Nullable Object> ToolBody<I, O> with(Class<C> type,
            InContext<I, C, O> body) {
        return new ToolBody<>() {
            @Override
            public O run(I input, ToolContext context) throws Exception {
                return body.run(input, ToolContexts.as(type, context));
            }

            @Override
            public List<Class<?>> contexts() {
                return List.of(type);
            }
        };
    }

    /**
     * The body of a tool that asks for a context of its own type.
     *
     * @param <I> the input
     * @param <C> the context
     * @param <O> the output
     */
    @FunctionalInterface
    interface InContext<I, C extends ToolContext, O extends @Nullable Object> {

        /** Does the work. */
        O run(I input, C context) throws Exception;
    }
}
