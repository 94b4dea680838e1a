package dev.belay.model.http.exchange;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.http.ServerEvent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events from a stream of bytes, on the calling thread. Confined to one answer. */
public final class EventStream {

    private static final int BUFFER = 8 << 10;

    private final InputStream in;
    private final SseParser parser;
    private final byte[] buffer = new byte[BUFFER];
    private boolean ended;

    public EventStream(InputStream in, int maxEventBytes) {
        this.in = in;
        this.parser = new SseParser(maxEventBytes);
    }

    /** Waits for the next event; null at the end of the stream. */
    public @Nullable ServerEvent next() throws IOException {
        while (true) {
            ServerEvent event = parser.poll();
            if (event != null || ended) {
                return event;
            }
            int count = in.read(buffer);
            if (count >= 0) {
                parser.feed(buffer, 0, count);
            } else {
                ended = true;
                return last();
            }
        }
    }

    /**
     * The error of a server that sent plain text where events belong.
     *
     * @return empty if every line so far was part of an event
     */
    public Optional<ProviderError> plainText() {
        return Optional.of(parser.stray())
                .filter(text -> !text.isEmpty())
                .map(text -> new ProviderError("", "", text));
    }

    /** Returns a last event without an empty line after it, unless its JSON is incomplete. */
    private @Nullable ServerEvent last() {
        boolean cut = parser.inLine();
        parser.end();
        ServerEvent event = parser.poll();
        return event != null && cut && startsLikeJson(event.data()) && !isJson(event.data()) ? null : event;
    }

    private static boolean startsLikeJson(String data) {
        return data.startsWith("{");
    }

    private static boolean isJson(String data) {
        try {
            Json.foreign(data, JsonLimits.DEFAULT);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }
}
