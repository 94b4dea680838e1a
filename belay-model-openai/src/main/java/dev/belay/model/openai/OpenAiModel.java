package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.http.AnswerDetails;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.HttpModelBuilder;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.http.ModelHttp;
import dev.belay.model.http.WireRequest;
import dev.belay.model.http.wire.Extras;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A model behind one of OpenAI's protocols: at OpenAI itself, or by its base URL at Ollama, vLLM, llama.cpp, LM Studio,
 * OpenRouter and the like. Thread-safe; calls block, so give each a virtual thread. It needs no closing.
 */
public final class OpenAiModel implements Model {

    /** OpenAI's own address. */
    public static final BaseUrl OPENAI = BaseUrl.of("https://api.openai.com/v1");

    private final String model;
    private final Protocol protocol;
    private final ModelHttp http;

    private OpenAiModel(Builder builder) {
        OpenAiOptions options = builder.options();
        model = options.model();
        protocol = builder.protocol(options);
        http = builder.http();
    }

    private OpenAiModel(OpenAiModel like, ModelHttp http) {
        model = like.model;
        protocol = like.protocol;
        this.http = http;
    }

    /**
     * Starts a model of this name at OpenAI.
     *
     * @param model as the server names it, such as {@code gpt-5-mini} or {@code qwen3:8b}
     */
    public static Builder builder(String model) {
        return new Builder(model);
    }

    /**
     * Finds a model in the environment: {@code OPENAI_API_KEY} with {@code OPENAI_MODEL} and {@code OPENAI_BASE_URL} if they are
     * set, else the first model of a local server on its usual port.
     *
     * @throws dev.belay.BelayException with code {@link ModelDiscovery#NO_MODEL_FOUND} and a sentence that says what to set
     */
    public static OpenAiModel fromEnvironment() {
        return (OpenAiModel) ModelDiscovery.start().sources(List.of(new OpenAiSource())).find();
    }

    /**
     * Starts a Gemini model at Google's endpoint for Chat Completions, with Google's signatures and words. The key is in
     * {@code GEMINI_API_KEY} by convention; it is not read from there.
     *
     * @param model as Google names it, such as {@code gemini-3-flash-preview}
     */
    public static Builder gemini(String model) {
        return new Builder(model).baseUrl(Gemini.URL).gemini(Gemini.DEFAULT);
    }

    /** What an answer of such a model holds besides its parts; nothing for an answer of another provider. */
    public static AnswerDetails details(AssistantMessage message) {
        return message.nativePayload() == null ? AnswerDetails.NONE : AnswerItems.of(message.nativePayload());
    }

    @Override
    public String id() {
        return model;
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        Json body = protocol.write(request);
        return http.ask(new WireRequest(protocol.path(), body, model, body.get("tools").isPresent()),
                protocol::reader, listener);
    }

    @Override
    public Model withoutRetries() {
        return new OpenAiModel(this, http.withoutRetries());
    }

    /** The name and the address; no key. */
    @Override
    public String toString() {
        return "OpenAiModel[" + model + " at " + http.baseUrl() + "]";
    }

    /** The settings of a model. Confined to one thread. */
    public static final class Builder extends HttpModelBuilder<Builder> {

        private static final Pattern THINKS = Pattern.compile("(.*/)?(o\\d|gpt-5).*");
        private static final Pattern OWN_HOST = Pattern
                .compile("api\\.openai\\.com|.*\\.openai\\.azure\\.com");

        private OpenAiApi api = OpenAiApi.CHAT_COMPLETIONS;
        private boolean strict;
        private @Nullable Boolean keepsReasoning;
        private @Nullable Boolean pictures;
        private @Nullable String cacheKey;
        private @Nullable Gemini gemini;
        private final Map<Effort, String> efforts = new EnumMap<>(Effort.class);
        private Extras extras = Extras.NONE;

        private Builder(String model) {
            super(model, OPENAI);
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** Speaks this protocol; default {@link OpenAiApi#CHAT_COMPLETIONS}, which every server knows. */
        public Builder api(OpenAiApi which) {
            api = Objects.requireNonNull(which, "which");
            return this;
        }

        /**
         * Asks the server to hold the model to its schemas; default no, because then every object must list all its properties as
         * required and allow no others. Belay checks arguments and answers in any case.
         */
        public Builder strict(boolean toTheLetter) {
            strict = toTheLetter;
            return this;
        }

        /**
         * Asks the Responses API for reasoning in the form that can be sent back; default by the name: OpenAI's reasoning models
         * need it, and OpenAI refuses it for other models.
         */
        public Builder keepReasoning(boolean keeps) {
            keepsReasoning = keeps;
            return this;
        }

        /**
         * Shows pictures that replies of tools name; otherwise the model reads their references. Default yes through the Responses API.
         * Chat Completions has no place for pictures in replies: there a user's message behind the replies shows them, which many servers
         * of that protocol refuse, so the default is no.
         */
        public Builder showPictures(boolean shows) {
            pictures = shows;
            return this;
        }

        /** Marks requests that start alike, so that the provider finds them in its cache; default: no mark. */
        public Builder cacheKey(String key) {
            cacheKey = key;
            return this;
        }

        /**
         * Sends this word for an effort, such as {@code xhigh} for {@link Effort#HIGH} to a model that can think longer than
         * {@code high}; default: the name of the effort in lower case.
         */
        public Builder effort(Effort level, String word) {
            efforts.put(level, word);
            return this;
        }

        /**
         * Adds a field to the body of every request, such as {@code reasoning} with {@code {"summary":"auto"}}. An object is merged
         * with what Belay writes under that name, a list is joined to it, another value replaces it.
         *
         * @throws IllegalArgumentException for {@code messages}, {@code input} and {@code tools}, which every request brings
         */
        public Builder field(String name, Json value) {
            extras = extras.withField(name, value, List.of("messages", "input"));
            return this;
        }

        /**
         * Offers tools that the provider runs, such as {@code {"type":"web_search"}}, behind the agent's own. Belay's policies,
         * journal and budgets do not see their calls; {@link OpenAiModel#details} lists them.
         *
         * @param tools in the provider's form
         * @throws IllegalArgumentException for a tool that Belay cannot serve, such as {@code local_shell}; the message says why
         */
        public Builder providerTools(Json... tools) {
            extras = extras.withTools(List.of(tools), BuiltInTools::unserved);
            return this;
        }

        /** Asks as Google's endpoint for Gemini wants it; default: as OpenAI does. */
        public Builder gemini(Gemini how) {
            gemini = Objects.requireNonNull(how, "how");
            return this;
        }

        /** Makes the model. No connection is opened before the first request. */
        public OpenAiModel build() {
            return new OpenAiModel(this);
        }

        private OpenAiOptions options() {
            boolean thinks = Optional.ofNullable(keepsReasoning).orElse(THINKS.matcher(model()).matches());
            return new OpenAiOptions(model(), streaming(), strict,
                    OWN_HOST.matcher(baseUrl().uri().getHost()).matches(), thinks,
                    Optional.ofNullable(pictures).orElse(api == OpenAiApi.RESPONSES), cacheKey, efforts,
                    extras);
        }

        private Protocol protocol(OpenAiOptions options) {
            if (gemini == null) {
                return switch (api) {
                    case CHAT_COMPLETIONS -> new ChatProtocol(options);
                    case RESPONSES -> new ResponsesProtocol(options);
                };
            }
            if (api == OpenAiApi.RESPONSES) {
                throw new IllegalArgumentException(
                        "Google's endpoint for Gemini speaks Chat Completions; leave out api(RESPONSES)");
            }
            return new GeminiProtocol(options, gemini);
        }

        private ModelHttp http() {
            return client(gemini == null ? "OPENAI_API_KEY" : "GEMINI_API_KEY", "Authorization", "Bearer ");
        }
    }
}
