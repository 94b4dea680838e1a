package dev.belay.toolset;

import dev.belay.schema.TypeRef;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.toolset.loop.Offer;
import dev.belay.toolset.loop.OutputForm;
import dev.belay.toolset.loop.StepEngine;
import dev.belay.toolset.loop.StepSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * One request to a model with the tools of a set, while it is put together. Confined to one thread.
 *
 * @param <T> the set
 * @param <R> the answer
 */
public final class ToolStepRequest<T, R> extends StepOptions<ToolStepRequest<T, R>> {

    private final Toolset<T> set;
    private final Offer<T> offer;
    private final OutputForm<R> output;

    ToolStepRequest(StepOptions<?> from, Toolset<T> set, Offer<T> offer, OutputForm<R> output) {
        super(from);
        this.set = set;
        this.offer = offer;
        this.output = output;
    }

    @Override
    ToolStepRequest<T, R> self() {
        return this;
    }

    /** Asks for an answer of a type instead of free text. */
    public <S> ToolStepRequest<T, S> as(Class<S> type) {
        return as(StructuredOutput.of(type));
    }

    /** Asks for an answer of a type with type arguments. */
    public <S> ToolStepRequest<T, S> as(TypeRef<S> type) {
        return as(StructuredOutput.of(type));
    }

    /** Asks for a structured answer. */
    public <S> ToolStepRequest<T, S> as(StructuredOutput<S> form) {
        return new ToolStepRequest<>(this, set, offer.copy(), form.form());
    }

    /** Offers every tool, also those that are off by default. */
    public ToolStepRequest<T, R> all() {
        offer.all();
        return this;
    }

    /** Offers what a class of the set stands for besides what is on by default. */
    public ToolStepRequest<T, R> plus(Class<? extends T> part) {
        offer.plus(part);
        return this;
    }

    /** Offers a tool besides what is on by default. */
    public ToolStepRequest<T, R> plus(ToolSelector<T> tool) {
        offer.plus(List.of(tool.name()));
        return this;
    }

    /** Offers tools besides what is on by default. */
    public ToolStepRequest<T, R> plus(Collection<ToolSelector<T>> tools) {
        offer.plus(names(tools));
        return this;
    }

    /** Offers just what a class of the set stands for; called again, that too, in this order. */
    public ToolStepRequest<T, R> only(Class<? extends T> part) {
        offer.only(part);
        return this;
    }

    /** Offers just a tool; called again, that too, in this order. */
    public ToolStepRequest<T, R> only(ToolSelector<T> tool) {
        offer.only(List.of(tool.name()));
        return this;
    }

    /** Offers just these tools, in this order; none at all if there are none. */
    public ToolStepRequest<T, R> only(Collection<ToolSelector<T>> tools) {
        offer.only(names(tools));
        return this;
    }

    /** Puts tools that are known only now into a place of the set. */
    public ToolStepRequest<T, R> fill(Class<? extends T> place, Collection<ToolDefinition> tools) {
        offer.fill(place, tools, null);
        return this;
    }

    /**
     * Puts the tools of a provider into a place of the set. In a session the provider prepares their calls when the round is delivered, so
     * that hooks, policy and loop see the same input.
     */
    public ToolStepRequest<T, R> fill(Class<? extends T> place, ToolProvider provider) {
        offer.fill(place, provider);
        return this;
    }

    /** Demands that the model calls some tool. */
    public ToolStepRequest<T, R> requireAny() {
        offer.requireAny();
        return this;
    }

    /** Demands that the model calls one tool. */
    public ToolStepRequest<T, R> require(Class<? extends T> tool) {
        return require(set.select(tool));
    }

    /** Demands that the model calls one tool. */
    public ToolStepRequest<T, R> require(ToolSelector<T> tool) {
        offer.require(tool.name());
        return this;
    }

    /** Rewords a tool for this request; the last word wins. */
    public ToolStepRequest<T, R> describe(Class<? extends T> tool, String text) {
        return describe(set.select(tool), text);
    }

    /** Rewords a tool for this request; the last word wins. */
    public ToolStepRequest<T, R> describe(ToolSelector<T> tool, String text) {
        offer.describe(tool.name(), text);
        return this;
    }

    /** Rewords tools for this request; the last word wins. */
    public ToolStepRequest<T, R> describe(Map<ToolSelector<T>, String> texts) {
        texts.forEach(this::describe);
        return this;
    }

    /**
     * Asks the model. {@code invalid_tool_constraints}, {@code duplicate_tool_name} and {@code host_value_missing} are found
     * before anything is sent or spent.
     */
    public Step<T, R> run() {
        StepSettings settings = settings();
        return new StepEngine<>(settings, output)
                .run(offer.resolve(settings.host(), settings.transcript().backend().isHosted()), Round::new);
    }

    private static <T> List<String> names(Collection<ToolSelector<T>> tools) {
        return tools.stream().map(ToolSelector::name).toList();
    }
}
