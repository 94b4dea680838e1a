package dev.belay.testkit.crash;

import dev.belay.json.Json;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Steps of a resumable body; every run of a step is recorded in a ledger. */
final class WatchedSteps implements DurableEffects {

    private final ToolDefinition definition;
    private final DurableEffects steps;
    private final Ledger ledger;

    WatchedSteps(ToolDefinition definition, DurableEffects steps, Ledger ledger) {
        this.definition = definition;
        this.steps = steps;
        this.ledger = ledger;
    }

    private Step watched(String stepId, ToolEffect effect, Step body) {
        return input -> {
            ledger.begins(steps.stepKey(stepId), "step " + stepId + " of tool " + definition.name(), effect);
            try {
                return body.run(input);
            } finally {
                ledger.ends();
            }
        };
    }

    @Override
    public Json run(String stepId, Json input, Step body) {
        return steps.run(stepId, input, watched(stepId, definition.manifest().effect(), body));
    }

    @Override
    public Json run(String stepId, Json input, ToolEffect effect, Step body) {
        return steps.run(stepId, input, effect, watched(stepId, effect, body));
    }

    @Override
    public Json run(String stepId, Json input, ToolEffect effect, StepReconciler reconciler, Step body) {
        return steps.run(stepId, input, effect, reconciler, watched(stepId, effect, body));
    }

    @Override
    public IdempotencyKey stepKey(String stepId) {
        return steps.stepKey(stepId);
    }

    @Override
    public CompletionKey externalEventKey(String name) {
        CompletionKey key = steps.externalEventKey(name);
        ledger.handedOut(key, name);
        return key;
    }

    @Override
    public CompletionKey externalEventKey(String name, JsonSchema answer) {
        CompletionKey key = steps.externalEventKey(name, answer);
        ledger.handedOut(key, name);
        return key;
    }

    @Override
    public Json poll(String stepId, Json input, Poll body) throws InterruptedException {
        return steps.poll(stepId, input, body);
    }

    @Override
    public Json awaitEvent(CompletionKey key, @Nullable Instant deadline, String announcement) {
        return steps.awaitEvent(key, deadline, announcement);
    }

    @Override
    public Json awaitEvent(CompletionKey key) {
        return steps.awaitEvent(key);
    }

    @Override
    public Json awaitEvent(CompletionKey key, Instant deadline) {
        return steps.awaitEvent(key, deadline);
    }

    @Override
    public void emitProcessEvent(String type, Json payload) {
        steps.emitProcessEvent(type, payload);
    }

    @Override
    public void sleep(String stepId, Duration duration) {
        steps.sleep(stepId, duration);
    }

    @Override
    public Instant now(String stepId) {
        return steps.now(stepId);
    }

    @Override
    public long random(String stepId) {
        return steps.random(stepId);
    }

    @Override
    public UUID uuid(String stepId) {
        return steps.uuid(stepId);
    }
}
