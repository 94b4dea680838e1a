package dev.belay.runtime.output.engine;

/**
 * Measures texts. A line ends with {@code \n}; what stands behind the last one is a line too, unless it is empty. Bytes are those of
 * UTF-8, where half a character counts as the one byte that replaces it.
 */
public final class OutputText {

    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;
    /** No unit of UTF-16 takes more bytes. */
    private static final int MOST_BYTES = 3;

    private OutputText() {}

    /** Whether a text is under both bounds. A text that is clearly under them is not looked at. */
    public static boolean fits(String text, long maxBytes, int maxLines) {
        int length = text.length();
        if (length > maxBytes
                || ((long) length * MOST_BYTES > maxBytes && bytes(text, 0, length, maxBytes) > maxBytes)) {
            return false;
        }
        return length <= maxLines || lines(text) <= maxLines;
    }

    /** The bytes of a text. */
    public static long bytes(String text) {
        return bytes(text, 0, text.length(), Long.MAX_VALUE);
    }

    /** The bytes of a part of a text; counts no further once there are more than {@code enough}. */
    static long bytes(String text, int start, int end, long enough) {
        long bytes = 0;
        for (int at = start; at < end && bytes <= enough; at++) {
            char unit = text.charAt(at);
            if (unit < ONE_BYTE) {
                bytes++;
            } else if (unit < TWO_BYTES) {
                bytes += 2;
            } else if (!Character.isSurrogate(unit)) {
                bytes += MOST_BYTES;
            } else if (isPair(text, at, end)) {
                bytes += MOST_BYTES + 1;
                at++;
            } else {
                bytes++;
            }
        }
        return bytes;
    }

    /** How many lines a text has. */
    public static int lines(String text) {
        int lines = 0;
        int next = 0;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', next)) {
            lines++;
            next = at + 1;
        }
        return next < text.length() ? lines + 1 : lines;
    }

    /** Where a part that has at most so many bytes ends, at a code point. */
    static int endOf(String text, int start, int end, long maxBytes) {
        long left = maxBytes;
        int at = start;
        while (at < end) {
            int units = isPair(text, at, end) ? 2 : 1;
            left -= bytes(text, at, at + units, Long.MAX_VALUE);
            if (left < 0) {
                return at;
            }
            at += units;
        }
        return at;
    }

    /** Where the last part that has at most so many bytes begins, at a code point. */
    static int startOf(String text, int start, int end, long maxBytes) {
        long left = maxBytes;
        int at = end;
        while (at > start) {
            int units = at - 2 >= start && isPair(text, at - 2, end) ? 2 : 1;
            left -= bytes(text, at - units, at, Long.MAX_VALUE);
            if (left < 0) {
                return at;
            }
            at -= units;
        }
        return at;
    }

    private static boolean isPair(String text, int at, int end) {
        return at + 1 < end && Character.isHighSurrogate(text.charAt(at))
                && Character.isLowSurrogate(text.charAt(at + 1));
    }
}
