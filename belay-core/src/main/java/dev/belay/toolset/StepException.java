package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.model.ModelResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step that ended without an answer and without a round. Nothing was appended to the transcript; the answer so far is kept
 * here, and its cost was recorded.
 */
public final class StepException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable ModelResponse partial;

    public StepException(String code, String message) {
        this(code, message, null, null);
    }

    public StepException(String code, String message, @Nullable ModelResponse partial,
            @Nullable Throwable cause) {
        super(code, message, cause);
        this.partial = partial;
    }

    /** What the model had said. */
    public Optional<ModelResponse> partial() {
        return Optional.ofNullable(partial);
    }

    /** The text the model had said; empty if none. */
    public String text() {
        return partial == null ? "" : partial.text();
    }
}
