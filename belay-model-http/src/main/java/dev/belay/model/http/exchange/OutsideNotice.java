package dev.belay.model.http.exchange;

import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.ModelHttp;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once for each server outside this machine that requests go there. Thread-safe. It remembers origins; a process has few.
 */
public final class OutsideNotice {

    private static final Logger LOG = LoggerFactory.getLogger(ModelHttp.class);

    /** One for the whole process, so that two models at one server are logged once. */
    public static final OutsideNotice SHARED = new OutsideNotice(LOG::info, LOG::warn);

    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final Consumer<String> info;
    private final Consumer<String> warn;

    public OutsideNotice(Consumer<String> info, Consumer<String> warn) {
        this.info = info;
        this.warn = warn;
    }

    public void about(BaseUrl url) {
        if (url.isLoopback() || !said.add(url.origin())) {
            return;
        }
        if (url.isEncrypted()) {
            info.accept("Model requests leave this machine: they go to " + url.origin()
                    + " with everything in them, messages, tool results and files");
        } else {
            warn.accept("Model requests leave this machine WITHOUT ENCRYPTION: they go to " + url.origin()
                    + " with everything in them, the API key included; use https:// unless the network is yours");
        }
    }
}
