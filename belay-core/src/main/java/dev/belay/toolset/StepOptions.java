package dev.belay.toolset;

import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.tool.context.HostValues;
import dev.belay.toolset.budget.BudgetPool;
import dev.belay.toolset.budget.SpendLimit;
import dev.belay.toolset.budget.UsageEstimator;
import dev.belay.toolset.loop.StepSettings;
import dev.belay.toolset.loop.TranscriptState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of requests with and without tools.
 *
 * @param <Q> the request itself
 */
public abstract sealed class StepOptions<Q extends StepOptions<Q>> permits StepRequest, ToolStepRequest {

    private final TranscriptState transcript;
    private final Model model;
    private Generation generation = Generation.PROVIDER_DECIDES;
    private StepListener listener = StepListener.SILENT;
    private UsageEstimator estimator = UsageEstimator.BY_LENGTH;
    private final List<BudgetPool> pools = new ArrayList<>();
    private @Nullable SpendLimit limit;
    private HostValues host;

    StepOptions(TranscriptState transcript, Model model) {
        this.transcript = Objects.requireNonNull(transcript, "transcript");
        this.model = Objects.requireNonNull(model, "model");
        this.host = transcript.backend().hostValues();
    }

    StepOptions(StepOptions<?> from) {
        this(from.transcript, from.model);
        generation = from.generation;
        listener = from.listener;
        estimator = from.estimator;
        pools.addAll(from.pools);
        limit = from.limit;
        host = from.host;
    }

    abstract Q self();

    StepSettings settings() {
        return new StepSettings(transcript, model, generation, listener, estimator, pools, limit, host);
    }

    /** Sets how the answer is generated; default: the provider decides. */
    public Q generation(Generation settings) {
        generation = settings;
        return self();
    }

    /** Sets the listener of this step; default: none. */
    public Q listener(StepListener hears) {
        listener = hears;
        return self();
    }

    /** Takes what the request spends from a shared budget; may be called for several, and counts each once. */
    public Q budget(BudgetPool pool) {
        if (!pools.contains(pool)) {
            pools.add(pool);
        }
        return self();
    }

    /** Limits what this step alone may spend, being asked again included; default: no limit. */
    public Q limit(SpendLimit most) {
        limit = most;
        return self();
    }

    /** Guesses what a request will spend; default {@link UsageEstimator#BY_LENGTH}. */
    public Q estimator(UsageEstimator guess) {
        estimator = guess;
        return self();
    }

    /** Supplies parameters of method tools marked {@code @FromHost}, by type. */
    public <H> Q supply(Class<H> type, Supplier<? extends H> supplier) {
        host = host.with(type, supplier);
        return self();
    }
}
