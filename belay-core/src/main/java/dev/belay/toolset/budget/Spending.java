package dev.belay.toolset.budget;

import dev.belay.model.ModelException;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;

/** The usage of one request: reported fields, and estimates for the others. */
public final class Spending {

    private Spending() {}

    /** The usage of an answer: reported fields, and estimates for the others. */
    public static Usage of(Usage estimate, ModelResponse arrived) {
        long characters = arrived.text().length() + arrived.message().reasoning().length()
                + arrived.refusal().map(String::length).orElse(0)
                + arrived.calls().stream().mapToLong(call -> call.arguments().length()).sum();
        return Usage.of(estimate.input().orElse(0), UsageEstimator.tokens(characters)).merge(arrived.usage());
    }

    /** The usage of a request without an answer: the provider may have read it. */
    public static Usage unheard(Usage estimate) {
        return Usage.of(estimate.input().orElse(0), 0);
    }

    /** The usage of a request that failed before an answer arrived: nothing, unless the provider may have read it. */
    public static Usage unheard(Usage estimate, ModelException.Kind kind) {
        return switch (kind) {
            case TIMEOUT, PROTOCOL, INTERRUPTED -> unheard(estimate);
            default -> Usage.of(0, 0);
        };
    }
}
