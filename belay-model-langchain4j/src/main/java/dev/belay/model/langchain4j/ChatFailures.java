package dev.belay.model.langchain4j;

import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps exceptions of LangChain4j to kinds of failure. Stateless. */
final class ChatFailures {

    /** Causes looked at; deeper chains are loops. */
    private static final int DEEPEST = 20;

    private static final List<String> TOO_LONG = List.of("context length", "context_length", "context window",
            "prompt is too long", "too many tokens", "maximum number of tokens");
    private static final List<String> NO_TOOLS = List.of("does not support tools",
            "does not support function",
            "tool calling is not supported", "tools are not supported");

    private ChatFailures() {}

    static ModelException of(Throwable thrown, String model) {
        if (thrown instanceof ModelException own) {
            return own;
        }
        Kind kind = null;
        Throwable at = thrown;
        for (int depth = 0; at != null && kind == null && depth < DEEPEST; depth++) {
            kind = kind(at);
            at = at.getCause();
        }
        return new ModelException(kind == null ? Kind.PROTOCOL : kind, "the LangChain4j model " + model
                + " failed with " + thrown.getClass().getSimpleName() + ": " + thrown.getMessage(), thrown);
    }

    private static @Nullable Kind kind(Throwable thrown) {
        return switch (thrown) {
            case AuthenticationException e -> Kind.AUTHENTICATION;
            case RateLimitException e -> Kind.RATE_LIMITED;
            case ModelNotFoundException e -> Kind.UNKNOWN_MODEL;
            case ContentFilteredException e -> Kind.CONTENT_FILTERED;
            case InvalidRequestException e -> refused(e);
            case UnsupportedFeatureException e -> refused(e);
            case TimeoutException e -> Kind.TIMEOUT;
            case HttpTimeoutException e -> Kind.TIMEOUT;
            case java.util.concurrent.TimeoutException e -> Kind.TIMEOUT;
            case UnresolvedModelServerException e -> Kind.CONNECTION;
            case InternalServerException e -> Kind.UNAVAILABLE;
            case HttpException e -> status(e);
            case IOException e -> Kind.CONNECTION;
            // an interrupted caller does not get here, so the provider's own thread was interrupted
            case InterruptedException e -> Kind.CONNECTION;
            case RetriableException e -> deeper(e, Kind.UNAVAILABLE);
            case NonRetriableException e -> deeper(e, refused(e));
            default -> null;
        };
    }

    private static @Nullable Kind deeper(Throwable general, Kind otherwise) {
        return general.getCause() == null ? otherwise : kind(general.getCause()) == null ? otherwise : null;
    }

    private static Kind status(HttpException e) {
        return switch (e.statusCode()) {
            case 401 -> Kind.AUTHENTICATION;
            case 402, 403 -> Kind.PERMISSION;
            case 404 -> Kind.UNKNOWN_MODEL;
            case 408, 504 -> Kind.TIMEOUT;
            case 413 -> Kind.CONTEXT_TOO_LONG;
            case 429 -> Kind.RATE_LIMITED;
            default -> e.statusCode() >= 500 ? Kind.UNAVAILABLE : refused(e);
        };
    }

    private static Kind refused(Throwable e) {
        String words = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (TOO_LONG.stream().anyMatch(words::contains)) {
            return Kind.CONTEXT_TOO_LONG;
        }
        return NO_TOOLS.stream().anyMatch(words::contains) ? Kind.TOOLS_UNSUPPORTED : Kind.INVALID_REQUEST;
    }
}
