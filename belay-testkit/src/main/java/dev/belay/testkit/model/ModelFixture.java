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
 * One wire protocol for {@link ModelContract}: makes clients, writes answers in the provider's form and reads requests. It must not
 * use the client's own code, else the suite proves nothing.
 */
public interface ModelFixture {

    /** The optional features of a protocol. */
    enum Feature {
        /** The model's thoughts arrive as text. */
        REASONING,
        /** A refusal of the model is told apart from its text. */
        REFUSAL_TEXT,
        /** A client can mark content for the provider's cache. */
        CACHE_MARKS,
        /** A picture may be named by an address. */
        IMAGE_LINKS
    }

    /** The refusals of a provider that the suite plays. */
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

    /** The features of this protocol. */
    Set<Feature> features();

    /** The finish reasons that this protocol can express. */
    Set<FinishReason> finishReasons();

    /** The usage without the parts that this protocol cannot report. */
    Usage reportable(Usage usage);

    /**
     * Writes a stream of server-sent events, each with the empty line after it.
     *
     * @param events neutral ones, from started on; the last may be missing, then the stream is cut there; a native payload is
     *     to be ignored
     */
    List<String> stream(List<ModelEvent> events);

    /** More whole streams in the shapes of servers in use, each a list of events, for the suite to spoil; by default none. */
    default List<List<String>> recorded() {
        return List.of();
    }

    /** Writes an answer in one piece, as the provider sends it when no stream is asked for. */
    String whole(ModelResponse response);

    /** Writes the event, with the empty line after it, by which the provider says in mid-stream that it is overloaded. */
    String overloadedEvent();

    /** Writes an event of an unknown type, with the empty line after it. */
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

    /** The temperature, nucleus, output limit and effort of a request; settings that the protocol does not have are empty. */
    Generation generation(Json request);

    /** All texts in a request: of the system, the user, the assistant and the replies, in order. */
    List<String> words(Json request);

    /** The ids that the replies in a request answer to, in order. */
    List<String> replyIds(Json request);

    /** The messages or items of a request, each as its exact text. */
    List<String> messages(Json request);

    /** How many cache marks a request has. */
    int cacheMarks(Json request);

    /** The text of a native payload in a request that replays it; by default unchanged. */
    default String replayed(Json payload) {
        return payload.text();
    }
}
