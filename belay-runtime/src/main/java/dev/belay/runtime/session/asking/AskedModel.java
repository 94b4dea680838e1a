package dev.belay.runtime.session.asking;

import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a model once. A client that throws anything but a {@link ModelException}, or returns null, breaks the contract of
 * {@link Model}; the caller gets a {@link ModelException} for that too. What the listener throws is no fault of the model and is told
 * apart.
 */
public final class AskedModel {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");

    private AskedModel() {}

    /** A listener of the model's events has thrown, and the asking ends with that. */
    public static final class HearingFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        HearingFailure(Throwable thrown) {
            super(thrown);
        }

        /** What the listener has thrown; throws it if it is an error. */
        public RuntimeException thrown() {
            return switch (getCause()) {
                case RuntimeException thrown -> thrown;
                case Error thrown -> throw thrown;
                case null, default -> this;
            };
        }
    }

    /** The answer of a model; throws {@link ModelException} or {@link HearingFailure} and nothing else. */
    public static ModelResponse answer(Model model, ModelRequest request, ModelListener listener) {
        try {
            ModelResponse response = model.complete(request, event -> {
                try {
                    listener.on(event);
                } catch (Throwable e) {
                    throw new HearingFailure(e);
                }
            });
            if (response == null) {
                throw new ModelException(ModelException.Kind.PROTOCOL,
                        "the model returned null instead of an answer");
            }
            return response;
        } catch (ModelException | HearingFailure e) {
            throw e;
        } catch (Throwable e) { // a client may also throw errors, and checked exceptions that it does not declare
            throw typed(e);
        }
    }

    private static ModelException typed(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new ModelException(ModelException.Kind.INTERRUPTED, "the model's client was interrupted",
                    thrown);
        }
        String described = described(thrown);
        warn(described, thrown);
        return new ModelException(ModelException.Kind.INVALID_REQUEST,
                "the model's client threw " + described, thrown);
    }

    /** The logger asks the exception for its message too. */
    private static void warn(String described, Throwable thrown) {
        try {
            LOG.warn("The client of a model threw {}; a Model may throw ModelException only", described,
                    thrown);
        } catch (RuntimeException e) {
            LOG.warn("The client of a model threw {}, which cannot be written", described);
        }
    }

    /** An exception of a stranger may throw when it is asked for its message. */
    private static String described(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }
}
