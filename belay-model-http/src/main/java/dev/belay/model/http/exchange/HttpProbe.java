package dev.belay.model.http.exchange;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.HttpSettings;
import dev.belay.model.http.HttpTimeouts;
import dev.belay.model.http.LocalServers;
import dev.belay.model.http.ModelHttp;
import dev.belay.tool.option.RetryPolicy;
import java.net.ProxySelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks a local server for its models, once and without a proxy. Thread-safe: immutable. */
public final class HttpProbe implements LocalServers {

    /** A server on this machine accepts a connection at once or does not run; it may read its list from a disk. */
    public static final HttpTimeouts SHORT = new HttpTimeouts(Duration.ofMillis(300), Duration.ofSeconds(2),
            Duration.ofSeconds(2), Duration.ofSeconds(2));

    private final HttpSettings settings;

    public HttpProbe(HttpTimeouts timeouts) {
        settings = HttpSettings.DEFAULT.withTimeouts(timeouts)
                .withRetries(RetryPolicy.NONE)
                .withProxy(ProxySelector.of(null));
    }

    @Override
    public Optional<List<String>> models(BaseUrl url) {
        if (!url.isLoopback()) {
            throw new IllegalArgumentException("only servers on this machine are probed, not " + url);
        }
        try {
            return names(ModelHttp.builder(url).settings(settings).build().get("/models"));
        } catch (ModelException e) {
            if (e.kind() == ModelException.Kind.INTERRUPTED) {
                throw e;
            }
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> stranger(BaseUrl url) {
        return new PortOwners(Path.of("/proc")).stranger(url);
    }

    private static Optional<List<String>> names(Json list) {
        return list.get("data")
                .filter(data -> data.kind() == Json.Kind.ARRAY)
                .map(data -> data.items()
                        .stream()
                        .flatMap(item -> item.get("id").stream())
                        .filter(id -> id.kind() == Json.Kind.STRING)
                        .map(Json::asString)
                        .toList());
    }
}
