package dev.belay.runtime.output.engine;

import dev.belay.runtime.output.ToolOutputBudgetConfig.Unit;
import dev.belay.tool.option.OutputBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one text that is over its bounds. It is measured once and may be cut several times; a cut looks only at what it keeps. Confined
 * to one thread.
 */
public final class OutputCut {

    private static final String GAP = "\n\n";
    private static final String CUT = " truncated...";
    private static final String DOTS = "...";
    private static final int LONGEST_UNIT = Unit.TOKENS.word().length();

    private final String text;
    private final Unit unit;
    private final long bytes;
    private final int lines;
    /** Without the last line's end. */
    private final int end;

    private OutputCut(String text, Unit unit) {
        this.text = text;
        this.unit = unit;
        bytes = OutputText.bytes(text);
        lines = OutputText.lines(text);
        end = text.endsWith("\n") ? text.length() - 1 : text.length();
    }

    /** A text to be cut. */
    public static OutputCut of(String text, Unit unit) {
        return new OutputCut(text, unit);
    }

    /**
     * The text that is shown, under both bounds as a whole: the kept part and, where something is missing, the marker between empty
     * lines. Bounds that leave no room for a part show the marker alone, or as much of it as they allow.
     *
     * @param caps over which the text is
     * @param handle of the whole text, or null if it is not kept
     * @param references to attachments, which stand below the marker; left out if the bounds have no room for a part beside them
     */
    public String shown(OutputBudget caps, @Nullable String handle, List<String> references) {
        String foot = foot(handle, references);
        long roomBytes = caps.maxBytes() - longestMarker(foot) - (long) GAP.length();
        int roomLines = caps.maxLines() - Math.max(1, OutputText.lines(foot)) - 1;
        if (roomBytes < 1 || roomLines < 1) {
            return references.isEmpty() ? marker(caps, handle) : shown(caps, handle, List.of());
        }
        OutputBudget.Keep keep = caps.keep() == OutputBudget.Keep.BOTH
                && (roomBytes < GAP.length() + 2 || roomLines < 3) ? OutputBudget.Keep.HEAD : caps.keep();
        return switch (keep) {
            case HEAD -> {
                Part head = head(roomBytes, roomLines);
                yield head.of(text) + GAP + marker(head.lines, head.bytes, head.byLines, foot);
            }
            case TAIL -> {
                Part tail = tail(0, roomBytes, roomLines);
                yield marker(tail.lines, tail.bytes, tail.byLines, foot) + GAP + tail.of(text);
            }
            case BOTH -> both(roomBytes - GAP.length(), roomLines - 1, foot);
        };
    }

    private String both(long roomBytes, int roomLines, String foot) {
        Part head = head((roomBytes + 1) / 2, (roomLines + 1) / 2);
        Part tail = tail(head.end, roomBytes - head.bytes, roomLines - head.lines);
        return head.of(text) + GAP + marker(head.lines + tail.lines, head.bytes + tail.bytes,
                head.byLines || tail.byLines, foot) + GAP + tail.of(text);
    }

    /** A kept part, and whether the number of lines has ended it. */
    private record Part(int start, int end, int lines, long bytes, boolean byLines) {

        String of(String text) {
            return text.substring(start, end);
        }
    }

    /** Whole lines from the beginning; a part of the first one if it does not fit. */
    private Part head(long roomBytes, int roomLines) {
        int kept = 0;
        int keptLines = 0;
        long keptBytes = 0;
        for (int at = 0; at <= end; keptLines++) {
            if (keptLines == roomLines) {
                return new Part(0, kept, keptLines, keptBytes, true);
            }
            int next = text.indexOf('\n', at);
            int lineEnd = next < 0 ? end : next;
            long more = (at == 0 ? 0 : 1) + OutputText.bytes(text, at, lineEnd, roomBytes);
            if (keptBytes + more > roomBytes) {
                break;
            }
            keptBytes += more;
            kept = lineEnd;
            at = lineEnd + 1;
        }
        if (keptLines > 0) {
            return new Part(0, kept, keptLines, keptBytes, false);
        }
        int cut = OutputText.endOf(text, 0, end, roomBytes);
        return new Part(0, cut, 1, OutputText.bytes(text, 0, cut, Long.MAX_VALUE), false);
    }

    /** Whole lines from the end, none of which begins before {@code first}; a part of the last one if it does not fit. */
    private Part tail(int first, long roomBytes, int roomLines) {
        int kept = end;
        int keptLines = 0;
        long keptBytes = 0;
        for (int at = end; at > first || (at == first && keptLines == 0); keptLines++) {
            if (keptLines == roomLines) {
                return new Part(kept, end, keptLines, keptBytes, true);
            }
            int lineStart = at == 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
            if (lineStart < first || (first > 0 && lineStart == first)) { // the line is in the first part
                break;
            }
            long more = (keptLines == 0 ? 0 : 1) + OutputText.bytes(text, lineStart, at, roomBytes);
            if (keptBytes + more > roomBytes) {
                break;
            }
            keptBytes += more;
            kept = lineStart;
            at = lineStart - 1;
        }
        if (keptLines > 0) {
            return new Part(kept, end, keptLines, keptBytes, false);
        }
        int cut = OutputText.startOf(text, first, end, roomBytes);
        return new Part(cut, end, 1, OutputText.bytes(text, cut, end, Long.MAX_VALUE), false);
    }

    /** The marker without a part of the text. */
    private String marker(OutputBudget caps, @Nullable String handle) {
        String marker = marker(0, 0, false, "");
        if (handle != null) {
            for (String whole : new String[]{marker(0, 0, false, foot(handle, List.of())), full(handle)}) {
                if (whole.length() <= caps.maxBytes() && OutputText.lines(whole) <= caps.maxLines()) {
                    return whole;
                }
            }
        }
        return marker.length() <= caps.maxBytes()
                ? marker
                : DOTS.substring(0, Math.min(DOTS.length(), caps.maxBytes()));
    }

    private String marker(int keptLines, long keptBytes, boolean byLines, String foot) {
        String missing = byLines
                ? lines - keptLines + " lines"
                : unit.of(bytes - keptBytes) + " " + unit.word();
        return DOTS + missing + CUT + foot;
    }

    /** What stands behind the count: where the whole text is, and the attachments that are named in it. */
    private static String foot(@Nullable String handle, List<String> references) {
        String whole = handle == null ? "" : GAP + full(handle);
        return references.isEmpty()
                ? whole
                : whole + (handle == null ? GAP : "\n") + "Attachments: " + String.join(" ", references);
    }

    private static String full(String handle) {
        return "Full output: read_output(\"" + handle + "\")";
    }

    /** All of it is ASCII. */
    private int longestMarker(String foot) {
        return DOTS.length() + Long.toString(bytes).length() + 1 + LONGEST_UNIT + CUT.length()
                + foot.length();
    }
}
