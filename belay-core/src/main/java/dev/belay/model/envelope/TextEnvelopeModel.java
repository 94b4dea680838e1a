package dev.belay.model.envelope;

import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import java.util.Objects;

/**
 * Lets a model that can only write text call tools. The model is told to answer with one JSON object, and what it writes is
 * read as a call or as an answer:
 *
 * <pre>{@code
 * {"kind":"tool_call","tool_name":"balance","arguments":{"account":"A"},"note":"looking it up"}
 * {"kind":"final","content":"There are 12.50 in it."}
 * }</pre>
 *
 * <p>Read is the whole text, else a fenced block, else the first object in it that has a {@code kind}; what a model thinks in
 * {@code <think>…</think>} does not count and becomes reasoning, the note becomes text. An answer that cannot be read goes
 * back to the model with what was wrong and the shape expected, a few times at most; then it is a
 * {@link ModelException.Kind#PROTOCOL} with the text in {@link ModelException#partial()}. Usage is that of all these answers.
 * Nothing is repaired; the loop checks whether the tool exists and the arguments fit.
 *
 * <p>A request that offers no tools and has no calls in its history passes as it is. Reasoning is heard while it arrives, the
 * rest when it is whole. Thread-safe, as the model inside is.
 */
public final class TextEnvelopeModel implements Model {

    /** How often a model is told what was wrong with its answer: small models need one try, and few succeed with a third. */
    public static final int DEFAULT_CORRECTIONS = 2;

    private static final int MOST_CORRECTIONS = 10;

    private final Model model;
    private final int corrections;
    private final boolean enforced;

    private TextEnvelopeModel(Model model, int corrections, boolean enforced) {
        this.model = Objects.requireNonNull(model, "model");
        this.corrections = corrections;
        this.enforced = enforced;
    }

    /** Puts a model under the envelope. */
    public static TextEnvelopeModel over(Model model) {
        return new TextEnvelopeModel(model, DEFAULT_CORRECTIONS, false);
    }

    /**
     * The same with another number of corrections.
     *
     * @param most 0 to 10 for each request; default {@value #DEFAULT_CORRECTIONS}
     */
    public TextEnvelopeModel corrections(int most) {
        if (most < 0 || most > MOST_CORRECTIONS) {
            throw new IllegalArgumentException(
                    "the number of corrections must be from 0 to " + MOST_CORRECTIONS + ", not " + most);
        }
        return new TextEnvelopeModel(model, most, enforced);
    }

    /**
     * The same, but the server is asked to hold the model to the shape, as for a structured answer. Off by default, because
     * many servers without native calls cannot.
     */
    public TextEnvelopeModel enforced() {
        return new TextEnvelopeModel(model, corrections, true);
    }

    @Override
    public String id() {
        return model.id();
    }

    /** Corrections stay: the model is told what was wrong, which is not the same request again. */
    @Override
    public Model withoutRetries() {
        return new TextEnvelopeModel(model.withoutRetries(), corrections, enforced);
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        if (!EnvelopeHistory.isNeeded(request)) {
            return model.complete(request, listener);
        }
        return new EnvelopeExchange(model, request, listener, enforced).run(corrections);
    }
}
