package dev.belay.testkit.model;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One wire protocol, as {@link ModelContract} needs it: it makes clients, writes answers in the provider's form and reads
 * requests. It must not use the client's own code to do so, else the suite proves nothing.
 */
public interface ModelFixture {

    /** What not every protocol has. */
    enum Feature {
        /** The model's thoughts are shown in words. */
        REASONING,
        /** The model refuses in words of a kind of their own. */
        REFUSAL_TEXT,
        /** A client can mark what the provider should cache. */
        CACHE_MARKS,
        /** A picture may be named by an address. */
        IMAGE_LINKS
    }

    /** What the suite wants a provider to say when it refuses. */
    enum Failure {
        /** The key is wrong. */
        WRONG_KEY,
        /** The key may not do this. */
        FORBIDDEN,
        /** There is no such model. */
        UNKNOWN_MODEL,
        /** The request is too long for the model. */
        CONTEXT_TOO_LONG,
        /** The model cannot call tools. */
        NO_TOOLS,
        /** Something in the request is not allowed. */
        INVALID,
        /** Too many requests. */
        RATE_LIMITED,
        /** The provider is overloaded. */
        OVERLOADED
    }

    /** Makes a client. */
    Model model(ClientSetup setup);

    /** What this protocol has. */
    Set<Feature> features();

    /** The reasons to stop that this protocol can say. */
    Set<FinishReason> finishReasons();

    /** The parts of a usage that this protocol can report; the others taken out. */
    Usage reportable(Usage usage);

    /**
     * Writes a stream of server-sent events, each with the empty line after it.
     *
     * @param events neutral ones, from started on; the last may be missing, then the stream is cut there; a native payload is
     *     to be ignored
     */
    List<String> stream(List<ModelEvent> events);

    /** Writes an answer in one piece, as the provider sends it when no stream is asked for. */
    String whole(ModelResponse response);

    /** Writes the event, with the empty line after it, by which the provider says in mid-stream that it is overloaded. */
    String overloadedEvent();

    /** Writes an event, with the empty line after it, of a type that nobody knows. */
    String unknownEvent();

    /**
     * Writes a refusal as the provider does.
     *
     * @param message words to be part of it
     */
    WireAnswer failure(Failure failure, String message);

    /** The tools that a request offers, in its order; none if it has none. */
    List<ToolSpec> tools(Json request);

    /** The choice that a request states; empty if it leaves it out. */
    Optional<ToolChoice> toolChoice(Json request);

    /** The schema that a request wants its answer to satisfy. */
    Optional<Json> outputSchema(Json request);

    /** The pictures in a request, in order. */
    List<ImagePart> images(Json request);

    /** The temperature, nucleus, output limit and effort of a request; what the protocol cannot say is empty. */
    Generation generation(Json request);

    /** All words said in a request: of the system, the user, the assistant and the replies, in order. */
    List<String> words(Json request);

    /** The ids that the replies in a request answer to, in order. */
    List<String> replyIds(Json request);

    /** The messages or items of a request, each as its exact text. */
    List<String> messages(Json request);

    /** How many cache marks a request has. */
    int cacheMarks(Json request);

    /** How a native payload stands in the text of a request that replays it; by default as it is. */
    default String replayed(Json payload) {
        return payload.text();
    }
}
