package dev.belay.toolbox.file;

import dev.belay.schema.BoundedPattern;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Looks for lines in files, each read once in pieces of bounded size. If every match contains a certain text, the bytes are
 * searched for it, and only lines with it are decoded and matched: a search of 30,000 files then takes a quarter of the time
 * or less. Patterns without such a text are matched line by line. The first matches by path and line are kept,
 * independent of the threads that found them; the rest are counted.
 *
 * <p>Thread-safe.
 */
final class GrepSearch {

    private static final int BUFFER = 256 << 10;
    private static final int SNIFFED = 8 << 10;
    private static final int LONGEST_SHOWN = 300;

    private final BoundedPattern pattern;
    /** The bytes that every match contains, one character for each, or null. */
    private final @Nullable String needle;
    private final int most;
    private final PriorityQueue<Hit> first = new PriorityQueue<>(Comparator.reverseOrder());
    private final AtomicLong found = new AtomicLong();
    private final AtomicLong expensive = new AtomicLong();
    private final AtomicLong unreadable = new AtomicLong();
    private final ConcurrentLinkedDeque<Reading> idle = new ConcurrentLinkedDeque<>();
    private volatile BooleanSupplier over = () -> false;

    /** A line that matches. */
    private record Hit(String path, long line, String text) implements Comparable<Hit> {

        @Override
        public int compareTo(Hit other) {
            int byPath = path.compareTo(other.path);
            return byPath == 0 ? Long.compare(line, other.line) : byPath;
        }
    }

    GrepSearch(String expression, boolean ignoreCase, int most) {
        pattern = LineMatcher.compile(expression, ignoreCase);
        needle = ignoreCase
                ? null
                : RequiredText.in(expression)
                        .map(text -> new String(text.getBytes(StandardCharsets.UTF_8),
                                StandardCharsets.ISO_8859_1))
                        .orElse(null);
        this.most = most;
    }

    /** Sets when to stop, even within a file. */
    void until(BooleanSupplier isOver) {
        over = isOver;
    }

    /** Searches one file. A file that cannot be read is counted, because one of many must not end a search. */
    void file(Folder folder, Path name, String path, BasicFileAttributes attributes) throws IOException {
        if (attributes.size() == 0) {
            return;
        }
        Reading free = idle.poll();
        Reading reading = free == null ? new Reading() : free;
        try (SeekableByteChannel channel = folder.read(name)) {
            reading.search(this, channel, path);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            unreadable.incrementAndGet();
        } finally {
            idle.push(reading);
        }
    }

    /**
     * The result as text.
     *
     * @param shown shows a line of a file
     */
    synchronized String worded(String shortfall, UnaryOperator<String> shown) {
        StringBuilder out = new StringBuilder();
        first.stream()
                .sorted()
                .forEach(hit -> out.append(Shown.name(hit.path))
                        .append(':')
                        .append(hit.line)
                        .append(": ")
                        .append(shown.apply(hit.text))
                        .append('\n'));
        if (first.isEmpty()) {
            out.append("no matches\n");
        }
        long more = found.get() - first.size();
        if (more > 0) {
            out.append("[and ").append(more).append(" more lines; narrow the pattern or the path]\n");
        }
        if (expensive.get() > 0) {
            out.append("[")
                    .append(expensive.get())
                    .append(" files have lines that the pattern is too expensive for; a simpler one may do]\n");
        }
        if (unreadable.get() > 0) {
            out.append("[").append(unreadable.get()).append(" files could not be read]\n");
        }
        return out.append(shortfall).toString();
    }

    private void hit(String path, long line, String text) {
        found.incrementAndGet();
        synchronized (this) {
            Hit hit = new Hit(path, line, text);
            if (first.size() < most) {
                first.add(hit);
            } else if (hit.compareTo(first.element()) < 0) {
                first.remove();
                first.add(hit);
            }
        }
    }

    /** The buffers for one file at a time, and where the reading is. */
    private static final class Reading {

        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        private final byte[] bytes = new byte[BUFFER];
        /** The line that the first byte in {@code bytes} belongs to. */
        private long line;
        private boolean middle;

        void search(GrepSearch search, SeekableByteChannel channel, String path) throws IOException {
            line = 1;
            middle = false;
            LineMatcher matcher = new LineMatcher(search.pattern);
            int filled = 0;
            boolean start = true;
            while (!search.over.getAsBoolean()) {
                buffer.clear().limit(BUFFER - filled);
                int read = channel.read(buffer);
                if (read > 0) {
                    buffer.flip().get(bytes, filled, read);
                    filled += read;
                }
                if (start && hasNul(Math.min(filled, SNIFFED))) {
                    return;
                }
                start = false;
                boolean end = read < 0;
                int whole = end ? filled : lastBreak(filled);
                if (whole > 0) {
                    lines(search, matcher, path, whole, end);
                    System.arraycopy(bytes, whole, bytes, 0, filled - whole);
                    filled -= whole;
                } else if (filled == BUFFER) {
                    overlong(search, matcher, path, filled);
                    filled = 0;
                }
                if (end) {
                    break;
                }
            }
            if (matcher.gaveUp()) {
                search.expensive.incrementAndGet();
            }
        }

        private boolean hasNul(int length) {
            for (int at = 0; at < length; at++) {
                if (bytes[at] == 0) {
                    return true;
                }
            }
            return false;
        }

        /** Where the last whole line ends, 0 if there is none. */
        private int lastBreak(int filled) {
            int at = filled;
            while (at > 0 && bytes[at - 1] != '\n') {
                at--;
            }
            return at;
        }

        /** Takes a line longer than the buffer: its beginning is matched, the rest is skipped up to the next line break. */
        private void overlong(GrepSearch search, LineMatcher matcher, String path, int filled) {
            boolean candidate = search.needle == null || raw(0, filled).contains(search.needle);
            if (!middle && candidate) {
                match(search, matcher, path, new String(bytes, 0, filled, StandardCharsets.UTF_8), line);
            }
            middle = true;
        }

        private void lines(GrepSearch search, LineMatcher matcher, String path, int length,
                boolean end) {
            int from = 0;
            if (middle) { // the rest of an overlong line whose beginning was matched
                while (from < length && bytes[from++] != '\n') {
                    // passed over
                }
                line++;
                middle = false;
            }
            if (search.needle != null) {
                candidates(search, search.needle, matcher, path, from, length, end);
            } else {
                every(search, matcher, path, from, length);
            }
        }

        /** Matches only the lines that contain the required bytes. */
        private void candidates(GrepSearch search, String needle, LineMatcher matcher, String path, int from,
                int length, boolean end) {
            String raw = raw(from, length);
            int counted = 0;
            int at = raw.indexOf(needle);
            while (at >= 0 && !search.over.getAsBoolean()) {
                int lineStart = raw.lastIndexOf('\n', at) + 1;
                int lineEnd = raw.indexOf('\n', at);
                lineEnd = lineEnd < 0 ? raw.length() : lineEnd;
                line += breaks(raw, counted, lineStart);
                counted = lineStart;
                String text = new String(bytes, from + lineStart, lineEnd - lineStart,
                        StandardCharsets.UTF_8);
                match(search, matcher, path, text, line);
                at = raw.indexOf(needle, lineEnd);
            }
            if (!end) {
                line += breaks(raw, counted, raw.length());
            }
        }

        /** The bytes, one character for each. */
        private String raw(int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }

        private static int breaks(String raw, int from, int to) {
            int count = 0;
            for (int at = raw.indexOf('\n', from); at >= 0 && at < to; at = raw.indexOf('\n', at + 1)) {
                count++;
            }
            return count;
        }

        private void every(GrepSearch search, LineMatcher matcher, String path, int from, int length) {
            String text = new String(bytes, from, length - from, StandardCharsets.UTF_8);
            int start = 0;
            // the clock is read now and then: an expression can be slow, but no single line takes long
            while (start < text.length() && !((line & 63) == 0 && search.over.getAsBoolean())) {
                start = one(search, matcher, path, text, start);
            }
        }

        /** Matches the line that begins there; returns where the next one begins. */
        private int one(GrepSearch search, LineMatcher matcher, String path, String text,
                int start) {
            int stop = text.indexOf('\n', start);
            stop = stop < 0 ? text.length() : stop;
            int shown = stop > start && text.charAt(stop - 1) == '\r' ? stop - 1 : stop;
            if (matcher.finds(text, start, shown)) {
                search.hit(path, line, shown(text, start, shown));
            }
            line++;
            return stop + 1;
        }

        private static void match(GrepSearch search, LineMatcher matcher, String path, String text,
                long line) {
            int end = text.endsWith("\r") ? text.length() - 1 : text.length();
            if (matcher.finds(text, 0, end)) {
                search.hit(path, line, shown(text, 0, end));
            }
        }

        private static String shown(String text, int start, int end) {
            boolean cut = end - start > LONGEST_SHOWN;
            int stop = cut ? start + LONGEST_SHOWN : end;
            if (cut && Character.isHighSurrogate(text.charAt(stop - 1))) {
                stop--;
            }
            return text.substring(start, stop) + (cut ? "…" : "");
        }
    }
}
