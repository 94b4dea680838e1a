package dev.belay.model.http.exchange;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.WireRequest;
import dev.belay.model.http.wire.SplitCharacters;
import dev.belay.schema.KnownSecrets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns failures of a provider into exceptions with a message that says what to do. Providers disagree on statuses and codes, so
 * the text of the error is searched too; if no pattern matches, the status decides. Thread-safe: immutable.
 */
public final class ErrorSentences {

    private static final int LONGEST_QUOTE = 400;
    private static final Pattern TITLE = Pattern.compile("<title[^>]*>([^<]{1,200})",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern TOO_LONG = words("context.?(length|window|size|limit)", "maximum context",
            "prompt is too long",
            "too many (input )?tokens", "input is too long", "request_too_large",
            "request exceeds the maximum", "exceeds? the available context");
    private static final Pattern NO_TOOLS = words("does not support (tools|tool|function)",
            "support tool use",
            "tool.?choice.{0,20}requires",
            "tools? (param|calling|calls?).{0,40}(requires|not supported|unsupported)",
            "--jinja", "function calling is not (enabled|supported)");
    private static final Pattern NO_MODEL = words("model_not_found",
            "model.{0,120}(not found|does not exist|not exist)",
            "(no such|unknown|invalid) model", "model is not available", "not a valid model");
    private static final Pattern FILTERED = words("content_filter", "content_policy",
            "content management policy",
            "responsible.?ai");
    private static final Pattern NO_KEY = words("authentication_error", "invalid_api_key",
            "(invalid|incorrect|missing) api.?key", "api key not valid");
    private static final Pattern TOO_MANY = words("\\brate[ _-]?limit", "too many requests",
            "resource_exhausted");
    private static final Pattern OUR_FAULT = words("invalid_?request", "invalid_argument", "bad.?request",
            "unprocessable", "validation.?error");
    private static final Pattern REFUSED = words("unauthorized", "forbidden", "permission.?denied");
    private static final Pattern LATE = words("time.?out", "timed out", "deadline.?exceeded");
    private static final Pattern DRY = words("insufficient_quota", "billing", "credit balance",
            "insufficient.{0,10}credits",
            "exceeded your current quota");

    private final BaseUrl url;
    private final WireRequest request;
    private final String keyAdvice;
    private final KnownSecrets secrets;

    public ErrorSentences(BaseUrl url, WireRequest request, String keyAdvice, KnownSecrets secrets) {
        this.url = url;
        this.request = request;
        this.keyAdvice = keyAdvice;
        this.secrets = secrets;
    }

    /** A status that is not success. */
    ModelException status(int status, String body, String location) {
        if (status >= 300 && status < 400) {
            return new ModelException(Kind.INVALID_REQUEST, "the model server at " + url + " redirects to \""
                    + quoted(location) + "\" (status " + status
                    + "), and a key is not carried elsewhere; set the base URL to where the API is");
        }
        if (looksLikePage(body)) {
            return page(status, body);
        }
        return describe(status, error(body));
    }

    /** A failure that the provider reports inside an answer that began well. */
    public ModelException inAnswer(ProviderError error) {
        return describe(statusIn(error), error);
    }

    /** A web page with a status of success. */
    public ModelException page(String body) {
        return page(200, body);
    }

    /** A body with a status of success that is JSON, but neither an answer nor an error. */
    public ModelException noAnswer(Json body) {
        return unreadable("JSON that is no answer: " + quoted(body.compact()), null);
    }

    /** An answer that cannot be read. */
    public ModelException unreadable(String what, @Nullable Throwable cause) {
        return new ModelException(Kind.PROTOCOL, "the model server at " + url + " sent " + what
                + "; check that the base URL belongs to the protocol of this client", cause);
    }

    public static boolean looksLikePage(String body) {
        String start = body.stripLeading();
        return start.startsWith("<");
    }

    private ModelException page(int status, String body) {
        Matcher title = TITLE.matcher(secrets.hideIn(body));
        String named = title.find() ? " titled \"" + quoted(title.group(1).strip()) + "\"" : "";
        Kind kind = status < 300
                ? Kind.PROTOCOL
                : status == 404 || status == 405 ? Kind.INVALID_REQUEST : byStatus(status);
        return new ModelException(kind, "the model server at " + url.at(request.path()).getPath() + " of "
                + url.origin()
                + " answered with a web page" + named + " (status " + status
                + "), not with a model's answer; check the base URL (it often ends in /v1) and any proxy or login page between");
    }

    private ModelException describe(int status, ProviderError error) {
        Kind kind = kind(status, error);
        String said = error.message().isEmpty() ? "" : ": \"" + quoted(error.message()) + "\"";
        String shown = status == 0 ? "" : " (status " + status + ")";
        String sentence = switch (kind) {
            case AUTHENTICATION -> url + " does not accept the API key" + shown + said + "; " + keyAdvice;
            case PERMISSION -> url + " does not allow this" + shown + said
                    + "; check the account's plan and credit, and what the key may do";
            case UNKNOWN_MODEL -> url + " has no model \"" + request.model() + "\"" + shown + said
                    + "; check its name: " + url
                    + "/models lists what is there, and a local server must have pulled it";
            case CONTEXT_TOO_LONG -> "the request is longer than model \"" + request.model() + "\" can read"
                    + shown + said
                    + "; shorten the history or the tool results, or choose a model with a longer context";
            case TOOLS_UNSUPPORTED -> "model \"" + request.model() + "\" at " + url + " cannot call tools"
                    + shown + said
                    + "; choose a model that can, start the server with tool calls enabled, or use the text envelope"
                    + " (ToolCalling.TEXT; in belay.toml: tool_calls = \"text\")";
            case RATE_LIMITED -> url + " has had too many requests or tokens for now" + shown + said;
            case CONTENT_FILTERED -> "a filter of " + url + " stopped the request" + shown + said;
            case TIMEOUT -> url + " gave up waiting" + shown + said;
            case UNAVAILABLE -> url + " is overloaded or failing" + shown + said;
            default -> url + " does not take the request" + shown + said
                    + (status == 404 ? "; check the base URL (it often ends in /v1)" : "");
        };
        return new ModelException(kind, sentence);
    }

    private Kind kind(int status, ProviderError error) {
        String words = (error.type() + " " + error.code() + " " + error.message()).toLowerCase(Locale.ROOT);
        if (status == 401 || NO_KEY.matcher(words).find()) {
            return Kind.AUTHENTICATION;
        }
        if (DRY.matcher(words).find() || words.contains("permission_error")) {
            return Kind.PERMISSION;
        }
        if (status == 429 || TOO_MANY.matcher(words).find()) {
            return Kind.RATE_LIMITED;
        }
        if (TOO_LONG.matcher(words).find() || status == 413) {
            return Kind.CONTEXT_TOO_LONG;
        }
        if (request.offersTools() && NO_TOOLS.matcher(words).find()) {
            return Kind.TOOLS_UNSUPPORTED;
        }
        if (FILTERED.matcher(words).find()) {
            return Kind.CONTENT_FILTERED;
        }
        boolean notFound = (status == 404 && words.contains("model")) || words.contains("not_found_error");
        return notFound || NO_MODEL.matcher(words).find() ? Kind.UNKNOWN_MODEL : byStatus(status, words);
    }

    /** An error inside an answer may have no status, only text. */
    private static Kind byStatus(int status, String words) {
        if (status != 0) {
            return byStatus(status);
        }
        if (OUR_FAULT.matcher(words).find()) {
            return Kind.INVALID_REQUEST;
        }
        if (REFUSED.matcher(words).find()) {
            return words.contains("unauthorized") ? Kind.AUTHENTICATION : Kind.PERMISSION;
        }
        return LATE.matcher(words).find() ? Kind.TIMEOUT : Kind.UNAVAILABLE;
    }

    private static Kind byStatus(int status) {
        return switch (status) {
            case 401, 407 -> Kind.AUTHENTICATION;
            case 402, 403 -> Kind.PERMISSION;
            case 429 -> Kind.RATE_LIMITED;
            case 408, 409, 425 -> Kind.UNAVAILABLE; // 408: the request came too late, so nothing was charged
            default -> status >= 500 ? Kind.UNAVAILABLE : Kind.INVALID_REQUEST;
        };
    }

    /** Some providers put a status into the code of an error inside an answer, whose own status was sent before. */
    private static int statusIn(ProviderError error) {
        return error.code().matches("[45]\\d\\d") ? Integer.parseInt(error.code()) : 0;
    }

    private static ProviderError error(String body) {
        try {
            return ProviderError.in(SplitCharacters.read(body))
                    .orElse(new ProviderError("", "", body.strip()));
        } catch (JsonException e) {
            return new ProviderError("", "", body.strip());
        }
    }

    private String quoted(String text) {
        String clean = secrets.hideIn(text)
                .codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .limit(LONGEST_QUOTE + 1L)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return clean.length() > LONGEST_QUOTE ? clean.substring(0, LONGEST_QUOTE) + "…" : clean;
    }

    private static Pattern words(String... alternatives) {
        return Pattern.compile(String.join("|", alternatives));
    }
}
