package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.List;

/** Shows an edit to a person completely. Stateless. */
final class LineDiff {

    private LineDiff() {}

    /** Unchanged lines that are shown around those that change. */
    private static final int CONTEXT = 3;
    /** Follows the last line of a file that no newline ends, as in the diffs of other tools. */
    private static final String UNENDED = "\n\\ No newline at end of file";

    /**
     * The difference of two pieces of a file: removed lines with {@code -}, added lines with {@code +}, the unchanged lines around them with a
     * blank.
     */
    static String of(String path, String before, String after) {
        return of(path, lines(before), lines(after), Integer.MAX_VALUE);
    }

    /** A new file: all its lines with {@code +}. */
    static String created(String path, String content) {
        return of(path, List.of(), wholeLines(content), Integer.MAX_VALUE);
    }

    /** The difference of two whole files as one hunk of a unified diff: it says where it begins, and shows some of the unchanged lines. */
    static String unified(String path, String before, String after) {
        return of(path, wholeLines(before), wholeLines(after), CONTEXT);
    }

    private static String of(String path, List<String> old, List<String> now, int context) {
        int head = 0;
        while (head < Math.min(old.size(), now.size()) && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(old.size(), now.size()) - head
                && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        String shown = Shown.inLine(path, Integer.MAX_VALUE);
        StringBuilder out = new StringBuilder("--- ").append(shown)
                .append("\n+++ ")
                .append(shown)
                .append('\n');
        int from = Math.max(0, head - context);
        int behind = Math.min(tail, context);
        if (context < Integer.MAX_VALUE) {
            out.append("@@ -").append(range(from, old.size() - tail + behind));
            out.append(" +").append(range(from, now.size() - tail + behind)).append(" @@\n");
        }
        add(out, ' ', old.subList(from, head));
        add(out, '-', old.subList(head, old.size() - tail));
        add(out, '+', now.subList(head, now.size() - tail));
        add(out, ' ', old.subList(old.size() - tail, old.size() - tail + behind));
        return out.toString();
    }

    /** The first line and the number of lines; an empty range stands behind the line that it names. */
    private static String range(int from, int to) {
        return (to > from ? from + 1 : from) + "," + (to - from);
    }

    /** A newline ends a line, so that none begins behind the last one. */
    private static List<String> wholeLines(String text) {
        List<String> lines = new ArrayList<>(lines(text));
        if (text.endsWith("\n")) {
            lines.removeLast();
        } else if (!lines.isEmpty()) {
            lines.set(lines.size() - 1, lines.getLast() + UNENDED);
        }
        return lines;
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    private static void add(StringBuilder out, char mark, List<String> lines) {
        lines.forEach(line -> out.append(mark).append(line).append('\n'));
    }
}
