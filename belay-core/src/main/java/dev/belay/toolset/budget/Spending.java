package dev.belay.toolset.budget;

import dev.belay.model.ModelException;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;

/** What one request has spent, as far as it was reported; the rest is guessed and never left out. */
public final class Spending {

    private Spending() {}

    /** What was reported of what arrived, and a guess for what was not. */
    public static Usage of(Usage estimate, ModelResponse arrived) {
        long characters = arrived.text().length() + arrived.message().reasoning().length()
                + arrived.refusal().map(String::length).orElse(0)
                + arrived.calls().stream().mapToLong(call -> call.arguments().length()).sum();
        return Usage.of(estimate.input().orElse(0), UsageEstimator.tokens(characters)).merge(arrived.usage());
    }

    /** A request of which nothing was heard again: the provider may have read it. */
    public static Usage unheard(Usage estimate) {
        return Usage.of(estimate.input().orElse(0), 0);
    }

    /** A request that failed before anything arrived: nothing, unless the provider may have read it. */
    public static Usage unheard(Usage estimate, ModelException.Kind kind) {
        return switch (kind) {
            case TIMEOUT, PROTOCOL, INTERRUPTED -> unheard(estimate);
            default -> Usage.of(0, 0);
        };
    }
}
