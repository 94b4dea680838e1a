package dev.belay.model.envelope;

import dev.belay.model.Model;
import dev.belay.model.ModelException;

/** How a model calls tools; a setting of an application. */
public enum ToolCalling {
    /** In the provider's own form. */
    NATIVE,
    /** In text, through {@link TextEnvelopeModel}. */
    TEXT,
    /** Natively if {@link ToolCallProbe} finds that it can, else in text. */
    PROBE;

    /**
     * The model in the form that calls this way.
     *
     * @param model what to ask; {@link #PROBE} asks it once, now
     * @throws ModelException if it is to be asked and cannot be
     */
    public Model apply(Model model) {
        return switch (this) {
            case NATIVE -> model;
            case TEXT -> TextEnvelopeModel.over(model);
            case PROBE -> ToolCallProbe.probe(model).nativeCalls() ? model : TextEnvelopeModel.over(model);
        };
    }
}
