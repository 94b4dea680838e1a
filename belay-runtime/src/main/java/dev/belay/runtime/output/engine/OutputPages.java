package dev.belay.runtime.output.engine;

import dev.belay.json.CheckBudget;
import dev.belay.json.JsonMismatchException;
import dev.belay.schema.BoundedPattern;
import dev.belay.tool.option.OutputBudget;

/**
 * Reads a kept output page by page, each page under the bounds of an output. A line that is longer than a page could show counts as
 * several lines, so that every part of an output can be reached by number. Confined to one call.
 */
public final class OutputPages {

    /** A longer line counts as several. */
    private static final int LONGEST_LINE = 4_000;
    private static final int SHORTEST_LINE = 16;
    /** Room for the first line of a page, which says where it stands. */
    private static final int HEADER = 160;
    /** No unit of UTF-16 takes more bytes. */
    private static final int MOST_BYTES = 3;
    private static final int MOST_MATCHES = 100;
    private static final int EXCERPT = 300;
    /** Some seconds of searching. */
    private static final long STEPS = 500_000_000L;

    private final String text;
    private final OutputBudget caps;
    private final int width;
    private final int end;

    /**
     * The pages of a text.
     *
     * @param caps of each page
     */
    public OutputPages(String text, OutputBudget caps) {
        this.text = text;
        this.caps = caps;
        width = Math.clamp((caps.maxBytes() - HEADER) / MOST_BYTES, SHORTEST_LINE, LONGEST_LINE);
        end = text.endsWith("\n") ? text.length() - 1 : text.length();
    }

    /** Goes through lines. */
    private final class Line {

        private int number;
        private int start;
        private int stop = -1;
        /** Where the whole line ends, of which this may be a part. */
        private int lineEnd = -1;

        boolean next() {
            if (stop >= end) {
                return false;
            }
            start = stop < 0 ? 0 : text.charAt(stop) == '\n' ? stop + 1 : stop;
            if (start > lineEnd || lineEnd < 0) {
                int next = text.indexOf('\n', start);
                lineEnd = next < 0 ? end : next;
            }
            stop = Math.min(lineEnd, start + width);
            if (stop < end && stop > start && Character.isLowSurrogate(text.charAt(stop))
                    && Character.isHighSurrogate(text.charAt(stop - 1))) {
                stop--;
            }
            number++;
            return true;
        }
    }

    /**
     * Lines from a number on.
     *
     * @param from 1 for the first
     * @param most at most so many
     */
    public String read(int from, int most) {
        var page = new StringBuilder();
        long room = Math.max(1, caps.maxBytes() - HEADER);
        int last = from - 1;
        var line = new Line();
        while (line.next()) {
            if (line.number == last + 1 && last - from + 1 < Math.min(most, caps.maxLines() - 1)) {
                long bytes = 1 + OutputText.bytes(text, line.start, line.stop, room);
                if (bytes <= room || page.isEmpty()) {
                    page.append('\n').append(text, line.start, line.stop);
                    last = line.number;
                    room -= bytes;
                }
            }
        }
        if (page.isEmpty()) {
            return "The output has " + line.number + " lines; there is none from line " + from + " on.";
        }
        return "Lines " + from + " to " + last + " of " + line.number
                + (last < line.number ? "; go on with from: " + (last + 1) : "") + page;
    }

    /**
     * The lines that match a pattern, from a line on.
     *
     * @param from 1 for the first
     */
    public String search(BoundedPattern pattern, int from) {
        var page = new StringBuilder();
        long room = Math.max(1, caps.maxBytes() - HEADER);
        int most = Math.min(MOST_MATCHES, caps.maxLines() - 1);
        int matches = 0;
        var steps = CheckBudget.of(STEPS);
        var line = new Line();
        while (line.next()) {
            if (line.number < from) {
                continue;
            }
            int match = match(pattern, line, steps);
            if (match == BoundedPattern.GAVE_UP || Thread.currentThread().isInterrupted()) {
                return "Stopped at line " + line.number + ", because the pattern takes too many steps. Search"
                        + " with a simpler one, or go on with from: " + (line.number + 1) + page;
            }
            if (match >= 0) {
                String found = "\n" + line.number + ": " + excerpt(line, match);
                long bytes = OutputText.bytes(found);
                if (matches == most || (bytes > room && matches > 0)) {
                    return matches + " lines match so far; go on with from: " + line.number + page;
                }
                page.append(found);
                matches++;
                room -= bytes;
            }
        }
        return matches == 0
                ? "No line from line " + from + " on matches."
                : matches + (matches == 1 ? " line matches, of " : " lines match, of ") + line.number + page;
    }

    /** Where a match ends in a line; what is left of a long line is looked at too, because a match may begin in this one. */
    private int match(BoundedPattern pattern, Line line, CheckBudget steps) {
        int until = Math.min(line.lineEnd, line.start + 2 * width);
        try {
            String part = text.substring(line.start, until);
            if (!pattern.find(part, steps)) {
                return steps.left() <= 0 ? BoundedPattern.GAVE_UP : BoundedPattern.NOWHERE;
            }
            int match = pattern.firstEnd(part, 0, part.length(), STEPS);
            boolean later = match > line.stop - line.start && line.stop < until;
            return later && pattern.firstEnd(part, line.stop - line.start, part.length(), STEPS) == match
                    ? BoundedPattern.NOWHERE // it is found again in the next line
                    : match;
        } catch (JsonMismatchException tooMany) {
            return BoundedPattern.GAVE_UP;
        }
    }

    /** The part of a line that ends a little behind a match. */
    private String excerpt(Line line, int match) {
        int until = OutputText.endOf(text, line.start, line.stop, Long.MAX_VALUE);
        if (until - line.start <= EXCERPT) {
            return text.substring(line.start, until);
        }
        int stop = Math.min(until, line.start + Math.max(match, 0) + EXCERPT / 3);
        int start = Math.max(line.start, stop - EXCERPT);
        stop = Math.min(until, start + EXCERPT);
        if (start > line.start && Character.isLowSurrogate(text.charAt(start))) {
            start++;
        }
        if (stop < until && Character.isLowSurrogate(text.charAt(stop))) {
            stop--;
        }
        return (start > line.start ? "..." : "") + text.substring(start, stop) + (stop < until ? "..." : "");
    }
}
