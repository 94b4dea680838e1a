package dev.belay.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of server-sent events, and keeps what is needed to go on after a break: the last id and the delay that the server
 * asked for. The reader of models' streams is not used: it keeps neither. Confined to one thread.
 */
final class ResumableEvents {

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    /** What a header can carry. */
    private static final Pattern ASCII = Pattern.compile("[ -~]*");

    private @Nullable String lastId;
    private Duration delay = Duration.ofSeconds(1);

    /** The data of the next event, or null at the end of the stream. Events without data are passed over. */
    @Nullable
    String next(BoundedLines lines) throws IOException {
        StringBuilder data = null;
        while (true) {
            String line = lines.next();
            if (line == null) {
                return null; // an event without its empty line was cut
            }
            if (line.isEmpty()) {
                if (data != null && !data.isEmpty()) {
                    return data.toString();
                }
                data = null;
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0
                    ? ""
                    : line.substring(line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
            switch (field) {
                case "data" -> {
                    data = data == null ? new StringBuilder() : data.append('\n');
                    if (data.length() + value.length() > Transport.LONGEST_MESSAGE) {
                        throw new IOException("the server sent an event of more than "
                                + Transport.LONGEST_MESSAGE + " characters");
                    }
                    data.append(value);
                }
                case "id" -> lastId = ASCII.matcher(value).matches() ? value : null;
                case "retry" -> {
                    if (value.matches("[0-9]{1,9}")) {
                        Duration asked = Duration.ofMillis(Long.parseLong(value));
                        delay = asked.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : asked;
                    }
                }
                default -> {
                    // comments and unknown fields
                }
            }
        }
    }

    BoundedLines lines(InputStream in) {
        return new BoundedLines(in, Transport.LONGEST_MESSAGE);
    }

    /** The id of the last event, or null if none had one. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** How long to wait before the stream is opened again. */
    Duration delay() {
        return delay;
    }
}
