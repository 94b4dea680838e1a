package dev.belay.toolbox.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Reads one page of lines of a file of any size, with the memory of one page. Stops reading where the page ends; the bytes and
 * the time before it are bounded. Confined to one call.
 */
final class TextPage {

    /** Enough for 400 lines of 80 characters, within the budget that the tool declares. */
    static final int MOST_BYTES = 32 << 10;
    static final int LINES = 400;

    /** How many bytes may be passed over before the page; a disk reads that many within the usual time. */
    static final long MOST_PASSED = 2L << 30;

    private static final int BUFFER = 64 << 10;
    /** How many bytes of the beginning are searched for NUL, also if the page ends before. */
    private static final int SNIFFED = 8 << 10;

    private final String path;
    private final int first;
    private final int lines;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    /** The line that the next byte belongs to. */
    private long line = 1;
    /** Where in {@code kept} the last whole line ends. */
    private int whole;
    private boolean ended;
    private boolean cut;
    /** Whether the last byte read was no line break, so that its line counts. */
    private boolean unfinished;

    TextPage(String path, int first, int lines) {
        this.path = path;
        this.first = first;
        this.lines = lines;
    }

    /** Whether to give up; asked for each piece before the page. */
    @FunctionalInterface
    interface Stop {

        boolean isOver() throws InterruptedException;
    }

    /**
     * Reads the page; a line in brackets says where the text is not the whole file.
     *
     * @param mostPassed how many bytes may be passed over before the page
     * @param stop whether the time is over
     */
    String read(SeekableByteChannel channel, long mostPassed, Stop stop)
            throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        long passed = 0;
        boolean start = true;
        boolean more = true;
        while (more) {
            buffer.clear();
            int read = channel.read(buffer);
            if (read < 0) {
                ended = true;
                break;
            }
            byte[] bytes = buffer.array();
            if (start) {
                refuseNul(bytes, Math.min(read, SNIFFED));
                start = false;
            }
            more = take(bytes, read);
            if (line < first) {
                refuseNul(bytes, read); // also where a hole in the file would be passed over
                passed += read;
                if (passed >= mostPassed || stop.isOver()) {
                    throw FileRefusal.tooFar(path, first, line);
                }
            }
            unfinished = read > 0 ? bytes[read - 1] != '\n' : unfinished;
        }
        byte[] page = kept.toByteArray();
        int end = cut && whole > 0 ? whole : page.length;
        refuseNul(page, end);
        return worded(page, end);
    }

    /** Takes one buffer; false when the page is full. */
    private boolean take(byte[] bytes, int length) {
        for (int at = 0; at < length; at++) {
            byte b = bytes[at];
            if (line >= first) {
                if (kept.size() == MOST_BYTES) {
                    cut = true;
                    return false;
                }
                kept.write(b);
            }
            if (b == '\n') {
                line++;
                whole = kept.size();
                if (line == (long) first + lines) {
                    ended = false;
                    return false;
                }
            }
        }
        return true;
    }

    private void refuseNul(byte[] bytes, int length) {
        for (int at = 0; at < length; at++) {
            if (bytes[at] == 0) {
                throw FileRefusal.notText(path, "it contains NUL bytes");
            }
        }
    }

    private String worded(byte[] page, int end) {
        if (end == 0 && ended) {
            return first == 1
                    ? "[the file is empty]"
                    : "[the file ends before line " + first + "; it has " + (unfinished ? line : line - 1)
                            + " lines]";
        }
        int length = cut && whole == 0 ? atCharacter(page, end) : end;
        String text = new String(page, 0, length, StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(text);
        if (ended && first == 1 && !text.contains("\uFFFD")) {
            return text;
        }
        if (!text.endsWith("\n")) {
            out.append('\n');
        }
        long last = text.endsWith("\n") ? line - 1 : line;
        if (cut && whole == 0) {
            out.append("[line ")
                    .append(first)
                    .append(" is longer than ")
                    .append(MOST_BYTES)
                    .append(" bytes and is cut here; the next line is from=")
                    .append(first + 1L)
                    .append("]\n");
        } else if (!ended) {
            long shown = cut ? line - 1 : last;
            out.append("[lines ")
                    .append(first)
                    .append(" to ")
                    .append(shown)
                    .append("; for more ask with from=")
                    .append(shown + 1)
                    .append("]\n");
        } else if (first > 1) {
            out.append("[lines ")
                    .append(first)
                    .append(" to ")
                    .append(last)
                    .append(", the end of the file]\n");
        }
        if (text.contains("\uFFFD")) {
            out.append("[bytes that are not UTF-8 are shown as \uFFFD]\n");
        }
        return out.toString();
    }

    private static int atCharacter(byte[] bytes, int end) {
        int at = end;
        while (at > 0 && at > end - 4 && (bytes[at - 1] & 0xc0) == 0x80) {
            at--;
        }
        return at > 0 && (bytes[at - 1] & 0x80) != 0 ? at - 1 : end;
    }
}
