package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.HttpModelBuilder;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.http.ModelHttp;
import dev.belay.model.http.WireRequest;
import dev.belay.model.http.wire.Extras;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A model behind Anthropic's Messages API: at Anthropic itself, or by its base URL at a gateway or a local server that speaks it.
 * Thread-safe; calls block, so give each a virtual thread. It needs no closing.
 */
public final class AnthropicModel implements Model {

    /** Anthropic's own address. */
    public static final BaseUrl ANTHROPIC = BaseUrl.of("https://api.anthropic.com");
    /** The model of {@link #fromEnvironment} unless the environment names another. */
    public static final String DEFAULT_MODEL = "claude-sonnet-4-6";
    /** The protocol requires a limit; every current model can write as much. */
    public static final int DEFAULT_MAX_OUTPUT_TOKENS = 32_000;

    private static final String PATH = "/v1/messages";
    private static final String VERSION = "2023-06-01";
    /** Models that cannot load tools in the middle of a conversation. */
    private static final Pattern OLDER = Pattern.compile("claude-(2|3|instant)");

    private final AnthropicOptions options;
    private final ModelHttp http;

    private AnthropicModel(Builder builder) {
        options = builder.options();
        http = builder.http();
    }

    private AnthropicModel(AnthropicOptions options, ModelHttp http) {
        this.options = options;
        this.http = http;
    }

    /**
     * Starts a model of this name at Anthropic.
     *
     * @param model as the provider names it, such as {@value #DEFAULT_MODEL}
     */
    public static Builder builder(String model) {
        return new Builder(model);
    }

    /**
     * The model that the environment describes: {@code ANTHROPIC_API_KEY}, and if they are set {@code ANTHROPIC_MODEL} (else
     * {@value #DEFAULT_MODEL}) and {@code ANTHROPIC_BASE_URL}.
     *
     * @throws dev.belay.BelayException with the code {@code no_model_found} and what to set, if there is no key
     */
    public static AnthropicModel fromEnvironment() {
        return (AnthropicModel) ModelDiscovery.start().sources(List.of(new AnthropicSource())).find();
    }

    @Override
    public String id() {
        return options.model();
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        return http.ask(wire(request),
                () -> new MessagesReader(said -> wire(goingOn(request, said))), listener);
    }

    private WireRequest wire(ModelRequest request) {
        Json body = MessagesWriter.write(request, options);
        return new WireRequest(PATH, body, options.model(), body.get("tools").isPresent());
    }

    /** The request with which the model goes on after it paused. */
    private static ModelRequest goingOn(ModelRequest request, NativePayload said) {
        List<Message> messages = new ArrayList<>(request.messages());
        messages.add(new AssistantMessage(List.of(), said));
        return ModelRequest.builder(messages)
                .tools(request.tools())
                .toolChoice(request.toolChoice())
                .output(request.output())
                .generation(request.generation())
                .pictures(request.pictures())
                .build();
    }

    /** What an answer of such a model holds besides its parts; nothing for an answer of another provider. */
    public static AnswerDetails details(AssistantMessage message) {
        return message.nativePayload() == null
                ? AnswerDetails.NONE
                : AnswerBlocks.of(message.nativePayload());
    }

    @Override
    public Model withoutRetries() {
        return new AnthropicModel(options, http.withoutRetries());
    }

    /** The name and the address; no key. */
    @Override
    public String toString() {
        return "AnthropicModel[" + options.model() + " at " + http.baseUrl() + "]";
    }

    /** The settings of a model; addresses are without {@code /v1}. Confined to one thread. */
    public static final class Builder extends HttpModelBuilder<Builder> {

        private Extras extras = Extras.NONE;
        private int maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS;
        private PromptCaching caching = PromptCaching.FIVE_MINUTES;
        private Thinking thinking = Thinking.ADAPTIVE;
        private boolean pictures = true;
        private @Nullable Boolean references;

        private Builder(String model) {
            super(model, ANTHROPIC);
            header("anthropic-version", VERSION);
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Limits an answer when the request sets no limit; default {@value #DEFAULT_MAX_OUTPUT_TOKENS}.
         *
         * @param tokens at least 1
         */
        public Builder maxOutputTokens(int tokens) {
            if (tokens < 1) {
                throw new IllegalArgumentException("maxOutputTokens must be at least 1, not " + tokens);
            }
            maxOutputTokens = tokens;
            return this;
        }

        /** Marks what the provider should keep; default {@link PromptCaching#FIVE_MINUTES}, because agents repeat themselves. */
        public Builder caching(PromptCaching which) {
            caching = Objects.requireNonNull(which, "which");
            return this;
        }

        /** Expresses an effort in this form; default {@link Thinking#ADAPTIVE}. */
        public Builder thinking(Thinking which) {
            thinking = Objects.requireNonNull(which, "which");
            return this;
        }

        /** Shows pictures that replies of tools name; default yes. A server that takes none shows their references. */
        public Builder showPictures(boolean shows) {
            pictures = shows;
            return this;
        }

        /**
         * Loads tools that {@code search_tools} has found where the search stands in the conversation ({@code defer_loading} and
         * {@code tool_reference}), so that the list of tools before it, and with it the provider's cache, stays as it was. Default: for models of
         * Claude 4 and later; servers of others may not know it.
         */
        public Builder referToFoundTools(boolean refers) {
            references = refers;
            return this;
        }

        /**
         * Adds a field to the body of every request, such as {@code metadata}. An object is merged with what Belay writes under
         * that name, a list is joined to it, another value replaces it.
         *
         * @throws IllegalArgumentException for {@code messages}, {@code system} and {@code tools}, which every request brings
         */
        public Builder field(String name, Json value) {
            extras = extras.withField(name, value, List.of("messages", "system"));
            return this;
        }

        /**
         * Offers tools that Anthropic runs, such as {@code {"type":"web_search_20250305","name":"web_search"}}, behind the agent's
         * own. Belay's policies, journal and budgets do not see their calls; {@link AnthropicModel#details} lists them.
         *
         * @param tools in Anthropic's form
         * @throws IllegalArgumentException for a tool that your program would have to run, such as {@code bash_20250124}
         */
        public Builder providerTools(Json... tools) {
            extras = extras.withTools(List.of(tools), ServerTools::unserved);
            return this;
        }

        /** Turns on a feature that is not yet generally available, such as {@code files-api-2025-04-14}; default: none. */
        public Builder beta(String feature) {
            return appendToHeader("anthropic-beta", feature);
        }

        /** Makes the model. No connection is opened before the first request. */
        public AnthropicModel build() {
            return new AnthropicModel(this);
        }

        private AnthropicOptions options() {
            return new AnthropicOptions(model(), streaming(), maxOutputTokens, caching, thinking, extras,
                    pictures, references == null ? !OLDER.matcher(model()).lookingAt() : references, clock());
        }

        private ModelHttp http() {
            return client("ANTHROPIC_API_KEY", "x-api-key", "");
        }
    }
}
