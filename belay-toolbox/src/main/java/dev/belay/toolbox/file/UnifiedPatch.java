package dev.belay.toolbox.file;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A unified diff of one file, as models write it: line numbers may be wrong or missing, lengths are not believed, and headers of files are
 * passed over. Its unchanged and removed lines must stand in the file, to the last blank. Immutable.
 */
final class UnifiedPatch {

    private static final Pattern HUNK = Pattern.compile("@@(?: -(\\d{1,9})(?:,(\\d{1,9}))? .*)?.*");
    private static final Pattern HEADER = Pattern
            .compile("(?:--- |\\+\\+\\+ |\\*\\*\\* |diff |index |new file |```).*");

    private final String path;
    private final List<Hunk> hunks = new ArrayList<>();

    /** Some lines that stand together and what they become. Confined to the thread that reads the patch. */
    private static final class Hunk {

        /** The index of the first line as the patch says it; negative if it does not. */
        private final int place;
        private final List<String> before = new ArrayList<>();
        private final List<String> after = new ArrayList<>();
        private boolean isUnendedBefore;
        private boolean isUnendedAfter;
        private char last = ' ';

        Hunk(int place) {
            this.place = place;
        }

        void add(String line) {
            last = line.isEmpty() ? ' ' : line.charAt(0);
            String text = line.isEmpty() ? "" : line.substring(1);
            if (last != '+') {
                before.add(text);
            }
            if (last != '-') {
                after.add(text);
            }
        }

        /** No newline ends the last line: that of the old text, of the new one, or of both. */
        void unended() {
            isUnendedBefore |= last != '+';
            isUnendedAfter |= last != '-';
        }
    }

    private UnifiedPatch(String path) {
        this.path = path;
    }

    /** Reads a patch of a file. */
    static UnifiedPatch of(String path, String text) {
        var patch = new UnifiedPatch(path);
        Hunk open = null;
        int number = 0;
        for (String line : lines(text)) {
            number++;
            Matcher begins = HUNK.matcher(line);
            boolean isPart = line.isEmpty() || " +-".indexOf(line.charAt(0)) >= 0;
            boolean isHeader = HEADER.matcher(line).matches() && (open == null || !isPart);
            if (begins.matches()) {
                open = patch.open(place(begins));
            } else if (line.startsWith("\\") && open != null) {
                open.unended();
            } else if (isPart && !isHeader) {
                open = open == null && !line.isEmpty() ? patch.open(-1) : open;
                if (open != null) {
                    open.add(line);
                }
            } else if (!isHeader) {
                throw FileRefusal.badEdit(path,
                        "line " + number + " of the patch begins with none of blank, -, + and @@");
            }
        }
        if (patch.hunks.isEmpty()) {
            throw FileRefusal.badEdit(path, "the patch has no line that begins with @@, - or +");
        }
        return patch;
    }

    /** An empty range stands behind the line that it names. */
    private static int place(Matcher hunk) {
        if (hunk.group(1) == null) {
            return -1;
        }
        int first = Integer.parseInt(hunk.group(1));
        return "0".equals(hunk.group(2)) ? first : Math.max(0, first - 1);
    }

    private Hunk open(int place) {
        var hunk = new Hunk(place);
        hunks.add(hunk);
        return hunk;
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        return lines;
    }

    /** The text of the file after the patch. */
    String apply(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        boolean addsReturns = text.contains("\r\n") && hunks.stream()
                .noneMatch(hunk -> hunk.before.stream().anyMatch(line -> line.endsWith("\r")));
        int from = 0;
        int moved = 0;
        for (int i = 0; i < hunks.size(); i++) {
            Hunk hunk = hunks.get(i);
            List<String> before = ended(hunk.before, addsReturns,
                    hunk.isUnendedAfter && !hunk.isUnendedBefore);
            List<String> after = ended(hunk.after, addsReturns, hunk.isUnendedBefore && !hunk.isUnendedAfter);
            int at = find(lines, before, from, hunk.place < 0 ? -1 : hunk.place + moved, i + 1);
            lines.subList(at, at + before.size()).clear();
            lines.addAll(at, after);
            from = at + after.size();
            moved += after.size() - before.size();
        }
        return String.join("\n", lines);
    }

    /** The lines as the file has them; what stands behind the newline at the end of a text is an empty last line. */
    private static List<String> ended(List<String> lines, boolean addsReturns, boolean endsFile) {
        List<String> ended = new ArrayList<>(lines);
        ended.replaceAll(line -> addsReturns ? line + "\r" : line);
        if (endsFile) {
            ended.add("");
        }
        return ended;
    }

    private int find(List<String> lines, List<String> wanted, int from, int place, int number) {
        if (wanted.isEmpty()) {
            if (place < from || place > lines.size()) {
                throw FileRefusal.noHunk(path, number,
                        "it has no line of the file that says where it belongs");
            }
            return place;
        }
        @Nullable
        Integer best = null;
        int found = 0;
        for (int at = from; at + wanted.size() <= lines.size(); at++) {
            if (lines.get(at).equals(wanted.getFirst())
                    && lines.subList(at, at + wanted.size()).equals(wanted)) {
                found++;
                best = best == null || Math.abs(at - place) < Math.abs(best - place)
                        ? Integer.valueOf(at)
                        : best;
            }
        }
        if (best == null) {
            throw FileRefusal.noHunk(path, number,
                    "its lines must be the same to the last blank, and follow those of the hunk before");
        }
        if (found > 1 && place < 0) {
            throw FileRefusal.manyMatches(path, found);
        }
        return best;
    }
}
