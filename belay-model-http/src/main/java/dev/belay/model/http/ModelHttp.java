package dev.belay.model.http;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelResponse;
import dev.belay.model.http.exchange.BoundedBody;
import dev.belay.model.http.exchange.ErrorSentences;
import dev.belay.model.http.exchange.EventStream;
import dev.belay.model.http.exchange.ModelExchange;
import dev.belay.model.http.exchange.OutsideNotice;
import dev.belay.model.http.exchange.Patience;
import dev.belay.model.http.exchange.ProviderError;
import dev.belay.model.http.exchange.Retrying;
import dev.belay.model.http.wire.SplitCharacters;
import dev.belay.schema.KnownSecrets;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one provider over HTTP. Thread-safe; calls block, so give each a virtual thread.
 *
 * <p><b>Retries</b>: a request is sent again only as long as nothing of an answer has reached the listener, and only after a
 * passing fault. <b>Cancellation</b>: interrupting the calling thread closes the connection. <b>Secrets</b>: no message
 * and no answer contains the key or a header that is named like one, even if the server repeats it. Redirects are not followed, because the key would be sent along.
 */
public final class ModelHttp {

    private static final Logger LOG = LoggerFactory.getLogger(ModelHttp.class);
    /** The longest event or whole answer: the final event of some protocols repeats the whole answer, pictures included. */
    private static final int MAX_EVENT_BYTES = 32 << 20;

    private final BaseUrl url;
    private final Map<String, String> headers;
    private final KnownSecrets secrets;
    private final String keyAdvice;
    private final HttpSettings settings;
    private final OutsideNotice notice;
    private final Retrying retrying;
    private final HttpClient client;

    private ModelHttp(Builder builder) {
        url = builder.url;
        headers = Map.copyOf(builder.headers);
        secrets = KnownSecrets.of(builder.secrets);
        keyAdvice = builder.keyAdvice;
        settings = builder.settings;
        notice = builder.notice;
        retrying = new Retrying(settings.retries(), settings.surroundings().random(), url.isLoopback());
        ProxySelector proxy = settings.proxy() == null ? ProxySelector.getDefault() : settings.proxy();
        HttpClient.Builder made = HttpClient.newBuilder()
                .connectTimeout(settings.timeouts().connect())
                .followRedirects(HttpClient.Redirect.NEVER)
                // over plain http the client would ask for an upgrade with every request, which small servers cannot handle
                .version(url.isEncrypted() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .executor(Executors
                        .newThreadPerTaskExecutor(Thread.ofVirtual().name("belay-model-http-", 0).factory()));
        if (proxy != null) {
            made.proxy(proxy);
        }
        client = made.build();
    }

    private ModelHttp(ModelHttp like, Retrying retrying) {
        url = like.url;
        headers = like.headers;
        secrets = like.secrets;
        keyAdvice = like.keyAdvice;
        settings = like.settings;
        notice = like.notice;
        client = like.client;
        this.retrying = retrying;
    }

    /** The same client without retries of its own; it shares the connections of this one. */
    public ModelHttp withoutRetries() {
        return new ModelHttp(this, Retrying.NEVER);
    }

    /** Starts a client of the API at this address. */
    public static Builder builder(BaseUrl url) {
        return new Builder(url);
    }

    /** Where the API is. */
    public BaseUrl baseUrl() {
        return url;
    }

    /**
     * Asks and reads the answer.
     *
     * @param request what to send
     * @param readers makes the reader of one attempt
     * @param listener told on this thread, as {@link dev.belay.model.Model#complete} says
     * @return the whole answer
     * @throws ModelException if there is none, with the part of the answer that had arrived
     */
    public ModelResponse ask(WireRequest request, Supplier<? extends AnswerReader> readers,
            ModelListener listener) {
        notice.about(url);
        ErrorSentences sentences = new ErrorSentences(url, request, keyAdvice, secrets);
        Patience patience = new Patience(settings.timeouts(), settings.surroundings().nanos(),
                url.toString());
        HttpRequest post = post(request);
        for (int attempt = 1;; attempt++) {
            ArrivingAnswer answer = new ArrivingAnswer(listener, sentences);
            try {
                return attempt(post, readers.get(), answer, patience, sentences);
            } catch (ModelException e) {
                if (answer.listenerThrew()) {
                    throw e;
                }
                ModelException failure = answer.withPartial(concealed(e));
                Optional<Duration> wait = answer.isStarted()
                        ? Optional.empty()
                        : retrying.waitAfter(attempt, failure);
                if (wait.isEmpty() || !patience.allows(wait.get())) {
                    throw failure;
                }
                LOG.info("Attempt {} of {} at {} failed with {}; the next one follows in {}", attempt,
                        settings.retries().attempts(), url, failure.code(), Patience.words(wait.get()));
                pause(wait.get());
            }
        }
    }

    /**
     * Gets a JSON document, such as the list of models; once, without retries.
     *
     * @param path added to the base URL
     * @throws ModelException if there is none
     */
    public Json get(String path) {
        notice.about(url);
        ErrorSentences sentences = new ErrorSentences(url, new WireRequest(path, Json.NULL, "", false),
                keyAdvice, secrets);
        Patience patience = new Patience(settings.timeouts(), settings.surroundings().nanos(),
                url.toString());
        HttpRequest get = request(path).GET().build();
        try (ModelExchange exchange = ModelExchange.send(client, get, url, patience, settings.timeouts())) {
            try {
                if (!exchange.succeeded()) {
                    throw exchange.failure(sentences, settings.surroundings().clock());
                }
                Json body = json(exchange.body(), sentences);
                exchange.finished();
                return body;
            } catch (IOException e) {
                throw exchange.broken(e);
            }
        } catch (ModelException e) {
            throw concealed(e);
        }
    }

    private ModelResponse attempt(HttpRequest post, AnswerReader reader, ArrivingAnswer answer,
            Patience patience,
            ErrorSentences sentences) {
        try (ModelExchange exchange = ModelExchange.send(client, post, url, patience, settings.timeouts())) {
            try {
                if (!exchange.succeeded()) {
                    throw exchange.failure(sentences, settings.surroundings().clock());
                }
                read(exchange, reader, answer, sentences);
                exchange.finished();
            } catch (IOException e) {
                throw exchange.broken(e);
            } catch (ModelException e) {
                throw e;
            } catch (RuntimeException e) { // whatever a server sends, the caller gets one type of exception
                if (answer.listenerThrew()) {
                    throw e;
                }
                throw sentences.unreadable("an answer that cannot be read: " + e.getMessage(), e);
            }
        }
        Optional<WireRequest> next = answer.takeNext();
        return next.isEmpty()
                ? answer.response()
                : attempt(post(next.get()), reader, answer, patience, sentences);
    }

    private void read(ModelExchange exchange, AnswerReader reader, ArrivingAnswer answer,
            ErrorSentences sentences)
            throws IOException {
        PushbackInputStream body = new PushbackInputStream(
                new BoundedBody(exchange.body(), settings.largestAnswer()));
        int first = firstVisible(body);
        if (first == '{' || first == '[' || first == '<') {
            whole(json(body, sentences), reader, answer, sentences);
        } else {
            stream(new EventStream(body, MAX_EVENT_BYTES), reader, answer);
        }
    }

    private static void whole(Json body, AnswerReader reader, ArrivingAnswer answer,
            ErrorSentences sentences) {
        reader.whole(body, answer);
        if (!answer.isStarted()) {
            throw ProviderError.in(body).map(answer::failure).orElseGet(() -> sentences.noAnswer(body));
        }
        end(reader, answer);
    }

    private void stream(EventStream events, AnswerReader reader, ArrivingAnswer answer) throws IOException {
        Optional<ProviderError> unnamed = Optional.empty();
        for (ServerEvent event = next(events); event != null && !event.isEnd(); event = next(events)) {
            if (event.data().isBlank()) {
                continue;
            }
            Optional<ProviderError> error = ProviderError.in(event);
            if (error.isPresent()) {
                throw answer.failure(error.get());
            }
            reader.event(event, answer);
            if (answer.isOver()) {
                return;
            }
            if (!answer.isStarted() && unnamed.isEmpty()) {
                unnamed = ProviderError.unnamed(event);
            }
        }
        Optional<ProviderError> said = unnamed.or(events::plainText);
        if (!answer.isStarted() && said.isPresent()) {
            throw answer.failure(said.get());
        }
        end(reader, answer);
    }

    private @Nullable ServerEvent next(EventStream events) throws IOException {
        ServerEvent event = events.next();
        if (event == null || secrets.hideIn(event.data()).equals(event.data())) {
            return event;
        }
        try {
            Json hidden = secrets.hideIn(Json.foreign(event.data(), JsonLimits.DEFAULT));
            return new ServerEvent(event.type(), hidden.text());
        } catch (JsonException plainText) {
            return new ServerEvent(event.type(), secrets.hideIn(event.data()));
        }
    }

    private static void end(AnswerReader reader, ArrivingAnswer answer) {
        if (!answer.isOver()) {
            reader.end(answer);
        }
    }

    private Json json(InputStream body, ErrorSentences sentences) throws IOException {
        String text = new String(ModelExchange.all(body, MAX_EVENT_BYTES), StandardCharsets.UTF_8);
        if (ErrorSentences.looksLikePage(text)) {
            throw sentences.page(text);
        }
        try {
            return secrets.hideIn(SplitCharacters.read(text));
        } catch (JsonException e) {
            throw sentences.unreadable("something that is not JSON: " + e.getMessage(), e);
        }
    }

    /** Servers stream under any content type, and send errors in one piece under that of a stream: the first character decides. */
    private static int firstVisible(PushbackInputStream in) throws IOException {
        int first = in.read();
        while (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
            first = in.read();
        }
        if (first >= 0) {
            in.unread(first);
        }
        return first;
    }

    private HttpRequest post(WireRequest request) {
        return request(request.path())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request.body().text()))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.at(path))
                .header("Accept", "text/event-stream, application/json")
                .header("Accept-Encoding", "gzip")
                .header("User-Agent", "belay");
        headers.forEach(request::setHeader);
        return request;
    }

    private void pause(Duration wait) {
        try {
            settings.surroundings().sleeper().sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModelExchange.interrupted();
        }
    }

    /** Removes the key, which some servers repeat in their error messages. */
    private ModelException concealed(ModelException e) {
        String message = secrets.hideIn(String.valueOf(e.getMessage()));
        if (message.equals(String.valueOf(e.getMessage()))) {
            return e;
        }
        ModelException hidden = new ModelException(e.kind(), message);
        ModelException timed = e.retryAfter().map(hidden::withRetryAfter).orElse(hidden);
        return e.partial().map(timed::withPartial).orElse(timed);
    }

    /** The address; no header and no key. */
    @Override
    public String toString() {
        return "ModelHttp[" + url + "]";
    }

    /** The settings of a client. Confined to one thread. */
    public static final class Builder {

        private static final Pattern SECRET = Pattern.compile("(?i)auth|key|token|secret|password|cookie");

        private final BaseUrl url;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private final List<String> secrets = new ArrayList<>();
        private String keyAdvice = "give the right key to the builder";
        private HttpSettings settings = HttpSettings.DEFAULT;
        private OutsideNotice notice = OutsideNotice.SHARED;

        private Builder(BaseUrl url) {
            this.url = url;
        }

        /** Sends a key in a header, after a prefix such as {@code "Bearer "}; default: none. */
        public Builder key(ApiKey secret, String header, String prefix) {
            secrets.add(secret.reveal());
            return header(header, prefix + secret.reveal());
        }

        /** Says what to do when the key is not accepted, to follow a semicolon; default: give another to the builder. */
        public Builder keyAdvice(String sentence) {
            keyAdvice = sentence;
            return this;
        }

        /**
         * Sends a header with every request. If its name speaks of a key, a token or the like, the value is taken out of what the server
         * says.
         *
         * @throws IllegalArgumentException if the value has control characters; the message does not show it
         */
        public Builder header(String name, String value) {
            if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
                throw new IllegalArgumentException("the value of header \"" + name
                        + "\" (not shown) must consist of printable ASCII characters");
            }
            headers.put(name, value);
            if (SECRET.matcher(name).find()) {
                secrets.add(value);
            }
            return this;
        }

        /** Says how requests travel; default {@link HttpSettings#DEFAULT}. */
        public Builder settings(HttpSettings other) {
            settings = other;
            return this;
        }

        Builder notice(OutsideNotice other) {
            notice = other;
            return this;
        }

        /** Makes the client. It opens no connection before the first request. */
        public ModelHttp build() {
            return new ModelHttp(this);
        }
    }
}
