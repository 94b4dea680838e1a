package dev.belay.model.http;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that every model over HTTP has. A provider's builder extends it and adds its own. A setting that is not called
 * keeps the default in its description. Confined to one thread.
 *
 * @param <B> the provider's builder, which every setting returns
 */
public abstract class HttpModelBuilder<B extends HttpModelBuilder<B>> {

    private final String model;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private BaseUrl baseUrl;
    private @Nullable ApiKey apiKey;
    private boolean isFound;
    private boolean streaming = true;
    private HttpSettings settings = HttpSettings.DEFAULT;

    /**
     * Starts with the name of the model and the provider's own address.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    protected HttpModelBuilder(String model, BaseUrl ownUrl) {
        if (model.isBlank()) {
            throw new IllegalArgumentException("the name of a model must not be blank");
        }
        this.model = model;
        this.baseUrl = ownUrl;
    }

    /** Sends this key; default: none, as local servers want none. */
    public final B apiKey(String key) {
        return apiKey(ApiKey.of(key));
    }

    /** Sends this key; default: none, as local servers want none. */
    public final B apiKey(ApiKey key) {
        apiKey = key;
        return self();
    }

    /** Asks the server at this address, such as {@code http://127.0.0.1:11434/v1}; default: the provider's own. */
    public final B baseUrl(String url) {
        return baseUrl(BaseUrl.of(url));
    }

    /** Asks the server at this address; default: the provider's own. */
    public final B baseUrl(BaseUrl url) {
        baseUrl = Objects.requireNonNull(url, "url");
        return self();
    }

    /** Asks for streams or for whole answers; default streams, also without a listener: a silent server is noticed. */
    public final B streaming(boolean streams) {
        streaming = streams;
        return self();
    }

    /** Sends a header with every request; default: none beyond those of the protocol. */
    public final B header(String name, String value) {
        headers.put(name, value);
        return self();
    }

    /** Says how requests travel: timeouts, retries, proxy; default {@link HttpSettings#DEFAULT}. */
    public final B http(HttpSettings how) {
        settings = Objects.requireNonNull(how, "how");
        return self();
    }

    /** Takes address, key and settings from a target that {@link ModelDiscovery} found. */
    public final B target(ModelTarget target) {
        baseUrl = target.url();
        apiKey = target.key();
        settings = target.http();
        isFound = true;
        return self();
    }

    /** This builder. */
    protected abstract B self();

    /** The name of the model. */
    protected final String model() {
        return model;
    }

    /** The address that was set last. */
    protected final BaseUrl baseUrl() {
        return baseUrl;
    }

    /** Whether answers are asked for as streams. */
    protected final boolean streaming() {
        return streaming;
    }

    /** The clock of the surroundings that were set last. */
    protected final InstantSource clock() {
        return settings.surroundings().clock();
    }

    /** Adds a value to a header that takes a list, after a comma. */
    protected final B appendToHeader(String name, String value) {
        headers.merge(name, value, (before, more) -> before + "," + more);
        return self();
    }

    /**
     * Makes the client.
     *
     * @param keyVariable the environment variable that messages about a refused key name
     * @param keyHeader the header that carries the key
     * @param keyPrefix stands before the key, such as {@code "Bearer "}
     */
    protected final ModelHttp client(String keyVariable, String keyHeader, String keyPrefix) {
        ModelHttp.Builder http = ModelHttp.builder(baseUrl)
                .settings(settings)
                .keyAdvice(apiKey != null && !apiKey.variable().isEmpty()
                        ? "set " + apiKey.variable() + " to a valid key"
                        : "set " + keyVariable + " to a valid key"
                                + (isFound ? "" : ", or give one to the builder's apiKey"));
        if (apiKey != null) {
            http.key(apiKey, keyHeader, keyPrefix);
        }
        headers.forEach(http::header);
        return http.build();
    }
}
