package dev.belay.model.http;

import dev.belay.model.ModelException;
import dev.belay.model.http.exchange.HttpProbe;
import java.util.List;
import java.util.Optional;

/** Asks servers on this machine which models they have. */
@FunctionalInterface
public interface LocalServers {

    /** The default addresses of Ollama, LM Studio and llama.cpp. */
    List<BaseUrl> USUAL = List.of(BaseUrl.of("http://127.0.0.1:11434/v1"),
            BaseUrl.of("http://127.0.0.1:1234/v1"),
            BaseUrl.of("http://127.0.0.1:8080/v1"));

    /**
     * The models that a server has, in its order.
     *
     * @param url of a server, on loopback
     * @return empty if there is no server, or a server without a list of models
     * @throws ModelException only if the thread is interrupted
     */
    Optional<List<String>> models(BaseUrl url);

    /**
     * Why a server that has answered may be one of another user of this machine: a search does not take it.
     *
     * @return empty if it is one of this user or root, or if the system does not tell
     */
    default Optional<String> stranger(BaseUrl url) {
        return Optional.empty();
    }

    /** Asks over HTTP, with timeouts so short that three missing servers cost less than a second. */
    static LocalServers overHttp() {
        return new HttpProbe(HttpProbe.SHORT);
    }
}
