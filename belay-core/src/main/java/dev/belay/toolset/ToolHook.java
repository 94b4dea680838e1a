package dev.belay.toolset;

/**
 * Looks at calls of one tool before anybody runs them. A lambda, or an object that keeps a policy; used from any thread that
 * applies hooks. One that throws or returns null stops its call.
 *
 * @param <I> the input that it sees
 */
@FunctionalInterface
public interface ToolHook<I> {

    /** Decides about one call; what it proceeds with is validated again. */
    Decision<I> decide(CallInfo call, I input);
}
