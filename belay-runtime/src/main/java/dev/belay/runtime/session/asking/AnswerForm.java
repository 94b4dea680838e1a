package dev.belay.runtime.session.asking;

import dev.belay.json.Json;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.OutputSpec;
import dev.belay.model.ReplyMeaning;
import dev.belay.toolset.StructuredOutput;
import dev.belay.toolset.loop.OutputForm;
import dev.belay.toolset.loop.OutputForm.Reading;
import dev.belay.toolset.loop.StepEngine;
import org.jspecify.annotations.Nullable;

/** The form that the answer of a turn must have, and its one correction. Confined to the turn's thread. */
public final class AnswerForm {

    private final @Nullable OutputForm<Json> form;
    private @Nullable ModelResponse wrong;
    private @Nullable String problem;
    private boolean corrected;

    /** A form, or null for text. */
    public AnswerForm(OutputSpec.@Nullable Schema asked) {
        form = asked == null ? null : StructuredOutput.of(asked).form();
    }

    /** What a request asks for. */
    public OutputSpec spec() {
        return form == null ? OutputSpec.text() : form.spec();
    }

    /** The value of a text that has the form, or what is wrong with it; null if no form was asked for. */
    public @Nullable Reading<Json> read(String text) {
        return form == null ? null : form.reader().apply(text);
    }

    /** What is wrong with an answer, if the model is to be told; that happens once in a turn. */
    public @Nullable String toCorrect(ModelResponse reply) {
        return form != null && !corrected && ReplyMeaning.of(reply) instanceof ReplyMeaning.Text(String text)
                && form.reader().apply(text) instanceof Reading.Wrong<Json>(String why) ? why : null;
    }

    /** A round is recorded; true if the next one tells the model what is wrong with its answer. */
    public boolean isToldNext(@Nullable ModelResponse reply, @Nullable String why) {
        wrong = why == null ? null : reply;
        problem = why;
        corrected |= why != null;
        return why != null;
    }

    /** The request, with the correction of the answer before if that was wrong. */
    public ModelRequest corrected(ModelRequest request) {
        return wrong == null || problem == null ? request : StepEngine.correction(request, wrong, problem);
    }
}
