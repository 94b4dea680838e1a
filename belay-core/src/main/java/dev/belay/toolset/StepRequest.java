package dev.belay.toolset;

import dev.belay.model.Model;
import dev.belay.schema.TypeRef;
import dev.belay.toolset.loop.Offer;
import dev.belay.toolset.loop.OutputForm;
import dev.belay.toolset.loop.StepEngine;
import dev.belay.toolset.loop.TranscriptState;

/**
 * One request to a model, while it is put together. Ask for an answer without tools, or go on with {@link #tools}. Confined to
 * one thread.
 *
 * @param <R> the answer
 */
public final class StepRequest<R> extends StepOptions<StepRequest<R>> {

    private final OutputForm<R> output;

    private StepRequest(StepOptions<?> from, OutputForm<R> output) {
        super(from);
        this.output = output;
    }

    private StepRequest(TranscriptState transcript, Model model, OutputForm<R> output) {
        super(transcript, model);
        this.output = output;
    }

    /**
     * For the runtime: starts a request for text. Programs use {@link Transcript#step}.
     *
     * @param transcript where the answer goes; its type is not exported
     */
    public static StepRequest<String> of(TranscriptState transcript, Model model) {
        return new StepRequest<>(transcript, model, OutputForm.TEXT);
    }

    @Override
    StepRequest<R> self() {
        return this;
    }

    /** Asks for an answer of a type instead of free text. */
    public <S> StepRequest<S> as(Class<S> type) {
        return as(StructuredOutput.of(type));
    }

    /** Asks for an answer of a type with type arguments. */
    public <S> StepRequest<S> as(TypeRef<S> type) {
        return as(StructuredOutput.of(type));
    }

    /** Asks for a structured answer. */
    public <S> StepRequest<S> as(StructuredOutput<S> form) {
        return new StepRequest<>(this, form.form());
    }

    /** Offers the tools of a set. */
    public <T> ToolStepRequest<T, R> tools(Toolset<T> set) {
        return new ToolStepRequest<>(this, set, new Offer<>(set.layout()), output);
    }

    /** Asks without tools; a call by the model is a {@link StepException} with {@code unexpected_tool_call}. */
    public Answer<R> answer() {
        return new StepEngine<>(settings(), output).answer();
    }
}
