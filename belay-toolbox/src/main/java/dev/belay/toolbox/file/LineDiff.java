package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.List;

/** Shows an edit to a person completely. Stateless. */
final class LineDiff {

    private LineDiff() {}

    /** Unchanged lines that are shown around those that change. */
    private static final int CONTEXT = 3;
    private static final String NO_LINE_BREAK = "\n\\ No newline at end of file";

    /** What is replaced in a file: removed lines with {@code -}, added lines with {@code +}, the unchanged lines around them with a blank. */
    static String ofParts(String path, String before, String after) {
        return of(path, parts(before), parts(after), Integer.MAX_VALUE);
    }

    /** All lines of a file that there was not before. */
    static String ofNew(String path, String content) {
        return of(path, List.of(), lines(content), Integer.MAX_VALUE);
    }

    /** The same of whole files as one hunk of a unified diff: only some of the unchanged lines are shown, and where the hunk begins is said. */
    static String unified(String path, String before, String after) {
        return of(path, lines(before), lines(after), CONTEXT);
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
            out.append("@@ -").append(from + 1).append(',').append(old.size() - tail + behind - from);
            out.append(" +").append(from + 1).append(',').append(now.size() - tail + behind - from);
            out.append(" @@\n");
        }
        add(out, ' ', old.subList(from, head));
        add(out, '-', old.subList(head, old.size() - tail));
        add(out, '+', now.subList(head, now.size() - tail));
        add(out, ' ', old.subList(old.size() - tail, old.size() - tail + behind));
        return out.toString();
    }

    private static List<String> parts(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
    }

    /** The lines of a file; the last one says so if no line break ends it. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        String rest = lines.removeLast();
        if (!rest.isEmpty()) {
            lines.add(rest + NO_LINE_BREAK);
        }
        return lines;
    }

    private static void add(StringBuilder out, char mark, List<String> lines) {
        lines.forEach(line -> out.append(mark).append(line).append('\n'));
    }
}
