package dev.belay.toolset.loop;

import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.StepListener;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import dev.belay.toolset.budget.UsageEstimator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a step needs beside its tools and the form of its answer.
 *
 * @param transcript the messages
 * @param model answers
 * @param generation how the answer is generated
 * @param listener hears the step
 * @param estimator guesses the usage before the model is asked
 * @param pools shared budgets
 * @param limit of this step alone, or null
 * @param host supplies values to bodies
 */
public record StepSettings(TranscriptState transcript, Model model, Generation generation,
        StepListener listener,
        UsageEstimator estimator, List<BudgetPool> pools, @Nullable SpendLimit limit, HostValues host) {

    /** Copies the pools. */
    public StepSettings {
        pools = List.copyOf(pools);
    }
}
