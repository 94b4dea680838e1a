package dev.belay.model.http.exchange;

import dev.belay.model.http.ServerEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Cuts bytes into server-sent events. The bytes may arrive in pieces of any size: a line is decoded only when it is complete, so
 * no character is split. Lines end in CR, LF or both; comments are skipped; an event without data is ignored. Lines that are no
 * field of an event are kept up to a bound: a proxy may send its error as plain text. Does no I/O. Confined to one stream.
 */
final class SseParser {

    private static final int LONGEST_STRAY = 1_000;

    private final int maxEventBytes;
    private final Queue<ServerEvent> ready = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private final StringBuilder stray = new StringBuilder();
    private @Nullable StringBuilder data;
    private String type = "";
    private int eventBytes;
    private boolean afterReturn;

    /** Starts a stream whose events, field names included, have at most so many bytes. */
    SseParser(int maxEventBytes) {
        this.maxEventBytes = maxEventBytes;
    }

    /** Takes the next bytes; throws {@link EventTooLongException} at the first byte over the bound. */
    void feed(byte[] bytes, int offset, int length) throws EventTooLongException {
        int start = offset;
        int end = offset + length;
        for (int at = offset; at < end; at++) {
            byte b = bytes[at];
            if (b == '\n' && afterReturn) {
                afterReturn = false;
                start = at + 1;
            } else if (b == '\n' || b == '\r') {
                keep(bytes, start, at);
                endOfLine();
                afterReturn = b == '\r';
                start = at + 1;
            } else {
                afterReturn = false;
            }
        }
        keep(bytes, start, end);
    }

    /** The next whole event, or null if there is none yet. */
    @Nullable
    ServerEvent poll() {
        return ready.poll();
    }

    /** The beginning of the text that belongs to no event; empty if there is none. */
    String stray() {
        return stray.toString();
    }

    /** Whether a line has begun and not ended. */
    boolean inLine() {
        return line.size() > 0;
    }

    /** Ends the stream; an event without an empty line after it counts. */
    void end() {
        if (inLine()) {
            endOfLine();
        }
        endOfEvent();
    }

    private void keep(byte[] bytes, int start, int end) throws EventTooLongException {
        eventBytes += end - start;
        if (eventBytes > maxEventBytes) {
            throw new EventTooLongException(maxEventBytes);
        }
        line.write(bytes, start, end - start);
    }

    private void endOfLine() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.isEmpty()) {
            endOfEvent();
        } else {
            field(text);
        }
    }

    private void field(String text) {
        int colon = text.indexOf(':');
        if (colon == 0) {
            // comments may be the only input for minutes and must not add up to an event that is too long
            if (data == null && type.isEmpty()) {
                eventBytes = 0;
            }
            return;
        }
        String name = colon < 0 ? text : text.substring(0, colon);
        int from = colon < 0 ? text.length() : text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
        switch (name) {
            case "data" -> {
                data = data == null ? new StringBuilder(text.length()) : data.append('\n');
                data.append(text, from, text.length());
            }
            case "event" -> type = text.substring(from);
            case "id", "retry" -> {
                // they serve streams that are resumed; a model's answer is not
            }
            default -> keepStray(text);
        }
    }

    private void keepStray(String text) {
        int room = LONGEST_STRAY - stray.length();
        if (room > 0) {
            stray.append(stray.isEmpty() ? "" : "\n").append(text, 0, Math.min(room, text.length()));
        }
    }

    private void endOfEvent() {
        if (data != null) {
            ready.add(new ServerEvent(type.isEmpty() ? ServerEvent.UNNAMED : type, data.toString()));
        }
        data = null;
        type = "";
        eventBytes = 0;
    }
}
