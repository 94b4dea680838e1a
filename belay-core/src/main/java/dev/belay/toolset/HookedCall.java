package dev.belay.toolset;

/**
 * A call after hooks.
 *
 * @param <T> the set
 */
public sealed interface HookedCall<T> {

    /**
     * Still to be run by you.
     *
     * @param call the call, with the input after hooks
     * @param <T> the set
     */
    record Pending<T>(ToolCall<T> call) implements HookedCall<T> {}

    /**
     * Answered by a hook.
     *
     * @param call the call
     * @param reply the answer
     * @param <T> the set
     */
    record Handled<T>(ToolCall<T> call, ToolReply reply) implements HookedCall<T> {}

    /**
     * Refused by a hook, or stopped because a hook failed.
     *
     * @param call the call
     * @param reply what the model reads
     * @param <T> the set
     */
    record Rejected<T>(ToolCall<T> call, ToolReply reply) implements HookedCall<T> {}
}
