package dev.belay.runtime.dispatch.body;

import dev.belay.json.Json;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The code of a body, and what to do with its thread if that goes on alone.
 *
 * @param code the body
 * @param onThread told the thread before it starts
 * @param keep keeps the resource of an abandoned body; the answer releases it
 * @param late takes the outcome of an abandoned body
 * @param evenIfCancelled whether the body is to see a cancellation that came before it
 */
public record AttemptBody(Callable<@Nullable Object> code, Consumer<Thread> onThread, Supplier<Runnable> keep,
        Consumer<Json> late, boolean evenIfCancelled) {}
