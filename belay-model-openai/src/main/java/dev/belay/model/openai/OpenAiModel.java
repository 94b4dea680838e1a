package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.http.ApiKey;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.ModelDiscovery;
import dev.belay.model.http.ModelHttp;
import dev.belay.model.http.WireRequest;
import java.util.LinkedHashMap;
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
        model = builder.model;
        OpenAiOptions options = builder.options();
        protocol = switch (builder.api) {
            case CHAT_COMPLETIONS -> new ChatProtocol(options);
            case RESPONSES -> new ResponsesProtocol(options);
        };
        http = builder.http();
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
     * Takes what the environment offers: {@code OPENAI_API_KEY} with {@code OPENAI_MODEL} and {@code OPENAI_BASE_URL} if they are
     * set, else a local server on its usual port and the first model it has.
     *
     * @throws dev.belay.BelayException with code {@link ModelDiscovery#NO_MODEL_FOUND} and a sentence that says what to set
     */
    public static OpenAiModel fromEnvironment() {
        return (OpenAiModel) ModelDiscovery.start().sources(List.of(new OpenAiSource())).find();
    }

    @Override
    public String id() {
        return model;
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        Json body = protocol.write(request);
        return http.ask(new WireRequest(protocol.path(), body, model, !request.tools().isEmpty()),
                protocol::reader, listener);
    }

    /** The name and the address; no key. */
    @Override
    public String toString() {
        return "OpenAiModel[" + model + " at " + http.baseUrl() + "]";
    }

    /** Collects what a model needs; what is not set has the default that is said here. Confined to one thread. */
    public static final class Builder {

        private static final Pattern THINKS = Pattern.compile("(.*/)?(o\\d|gpt-5).*");
        private static final Pattern OWN_HOST = Pattern
                .compile("api\\.openai\\.com|.*\\.openai\\.azure\\.com");

        private final String model;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private BaseUrl baseUrl = OPENAI;
        private @Nullable ApiKey apiKey;
        private OpenAiApi api = OpenAiApi.CHAT_COMPLETIONS;
        private boolean streaming = true;
        private boolean strict;
        private @Nullable Boolean keepsReasoning;
        private @Nullable String cacheKey;
        private HttpSettings settings = HttpSettings.DEFAULT;

        private Builder(String model) {
            if (model.isBlank()) {
                throw new IllegalArgumentException("the name of a model must not be blank");
            }
            this.model = model;
        }

        /** Sends this key as a bearer token; default: none, as local servers want none. */
        public Builder apiKey(String key) {
            return apiKey(ApiKey.of(key));
        }

        /** Sends this key as a bearer token; default: none, as local servers want none. */
        public Builder apiKey(ApiKey key) {
            apiKey = key;
            return this;
        }

        /** Asks the server at this address, such as {@code http://127.0.0.1:11434/v1}; default {@link #OPENAI}. */
        public Builder baseUrl(String url) {
            return baseUrl(BaseUrl.of(url));
        }

        /** Asks the server at this address; default {@link #OPENAI}. */
        public Builder baseUrl(BaseUrl url) {
            baseUrl = Objects.requireNonNull(url, "url");
            return this;
        }

        /** Speaks this protocol; default {@link OpenAiApi#CHAT_COMPLETIONS}, which every server knows. */
        public Builder api(OpenAiApi which) {
            api = Objects.requireNonNull(which, "which");
            return this;
        }

        /** Asks for streams or for whole answers; default streams, also when nobody listens: a silent server is noticed. */
        public Builder streaming(boolean streams) {
            streaming = streams;
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
         * need it, and other models are refused with it.
         */
        public Builder keepReasoning(boolean keeps) {
            keepsReasoning = keeps;
            return this;
        }

        /** Marks requests that start alike, so that the provider finds them in its cache; default: no mark. */
        public Builder cacheKey(String key) {
            cacheKey = key;
            return this;
        }

        /** Sends a header with every request, such as {@code OpenAI-Organization}; default: none. */
        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** Says how requests travel: timeouts, retries, proxy; default {@link HttpSettings#DEFAULT}. */
        public Builder http(HttpSettings how) {
            settings = Objects.requireNonNull(how, "how");
            return this;
        }

        /** Makes the model. No connection is opened before the first request. */
        public OpenAiModel build() {
            return new OpenAiModel(this);
        }

        private OpenAiOptions options() {
            boolean thinks = Optional.ofNullable(keepsReasoning).orElse(THINKS.matcher(model).matches());
            return new OpenAiOptions(model, streaming, strict,
                    OWN_HOST.matcher(baseUrl.uri().getHost()).matches(), thinks,
                    cacheKey);
        }

        private ModelHttp http() {
            ModelHttp.Builder http = ModelHttp.builder(baseUrl)
                    .settings(settings)
                    .keyAdvice("set OPENAI_API_KEY to a valid key, or give one to the builder's apiKey");
            if (apiKey != null) {
                http.key(apiKey, "Authorization", "Bearer ");
            }
            headers.forEach(http::header);
            return http.build();
        }
    }
}
