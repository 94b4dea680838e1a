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

    BoundedLines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** The next line without its end, or null after the last one. A last line without an end counts. */
    @Nullable
    String next() throws IOException {
        while (true) {
            int start = at;
            while (at < end) {
                byte b = buffer[at++];
                if (b == '\n' && afterReturn) {
                    afterReturn = false;
                    start = at;
                } else if (b == '\n' || b == '\r') {
                    afterReturn = b == '\r';
                    keep(start, at - 1);
                    return take();
                } else {
                    afterReturn = false;
                }
            }
            keep(start, end);
            end = Math.max(0, in.read(buffer));
            at = 0;
            if (end == 0) {
                return line.size() == 0 ? null : take();
            }
        }
    }

    private void keep(int from, int to) throws IOException {
        if (line.size() + (to - from) > longest) {
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
