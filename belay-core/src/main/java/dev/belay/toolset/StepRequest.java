package dev.belay.toolset;

import dev.belay.model.Model;
import dev.belay.schema.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * One request to a model, while it is put together. Ask for an answer without tools, or go on with {@link #tools}. Confined to
 * one thread.
 *
 * @param <R> the answer
 */
public final class StepRequest<R> extends StepOptions<StepRequest<R>> {

    private final @Nullable StructuredOutput<R> output;

    private StepRequest(StepOptions<?> from, @Nullable StructuredOutput<R> output) {
        super(from);
        this.output = output;
    }

    private StepRequest(Transcript transcript, Model model) {
        super(transcript, model);
        this.output = null;
    }

    static StepRequest<String> of(Transcript transcript, Model model) {
        return new StepRequest<>(transcript, model);
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
        return new StepRequest<>(this, form);
    }

    /** Offers the tools of a set. */
    public <T> ToolStepRequest<T, R> tools(Toolset<T> set) {
        return new ToolStepRequest<>(this, set, output);
    }

    /** Asks without tools; a call by the model is a {@link StepException} with {@code unexpected_tool_call}. */
    public Answer<R> answer() {
        return new StepEngine<>(this, output).answer();
    }
}
