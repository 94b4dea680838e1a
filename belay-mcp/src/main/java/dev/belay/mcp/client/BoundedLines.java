package dev.belay.mcp.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8 that end in LF, CR or both, up to a bound. Confined to one thread. */
final class BoundedLines {

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[8192];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private int at;
    private int end;
    private boolean afterReturn;
    private boolean tooLong;

    BoundedLines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** The next line without its end, or null after the last one. A last line without an end counts. */
    @Nullable
    String next() throws IOException {
        String whole = buffered();
        while (whole == null) {
            if (!fill()) {
                return line.size() == 0 ? null : take();
            }
            whole = buffered();
        }
        return whole;
    }

    /** The next line if all of it has arrived, or null; does not block. */
    @Nullable
    String arrived() throws IOException {
        String whole = buffered();
        while (whole == null && in.available() > 0 && fill()) {
            whole = buffered();
        }
        return whole;
    }

    private boolean fill() throws IOException {
        end = Math.max(0, in.read(buffer));
        at = 0;
        return end > 0;
    }

    /** The next line if the buffer has its end; else all of the buffer is a part of it. Asks for no more bytes. */
    @Nullable
    String buffered() throws IOException {
        int start = at;
        while (at < end) {
            byte b = buffer[at++];
            if (b == '\n' && afterReturn) {
                afterReturn = false;
                start = at;
            } else if (b == '\n' || b == '\r') {
                afterReturn = b == '\r';
                return line(start, at - 1);
            } else {
                afterReturn = false;
            }
        }
        keep(start, end);
        return null;
    }

    private String line(int from, int to) throws IOException {
        if (line.size() == 0 && to - from <= longest) {
            return new String(buffer, from, to - from, StandardCharsets.UTF_8); // most lines
        }
        keep(from, to);
        return take();
    }

    private void keep(int from, int to) throws IOException {
        tooLong |= line.size() + (to - from) > longest;
        if (tooLong) {
            throw new IOException("the server sent a line of more than " + longest + " bytes");
        }
        line.write(buffer, from, to - from);
    }

    private String take() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        return text;
    }
}
