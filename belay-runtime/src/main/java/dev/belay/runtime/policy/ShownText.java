package dev.belay.runtime.policy;

/**
 * Writes text so that a person sees all of it: characters that show nothing, change the direction of others or move the cursor stand as
 * escapes.
 */
public final class ShownText {

    private ShownText() {}

    /** The text with an escape such as {@code \}{@code u{202E}} for each character that cannot be seen. Line breaks and tabs are escaped too. */
    public static String escaped(String text) {
        return escaped(text, false);
    }

    /** The same; line breaks stay. */
    public static String lines(String text) {
        return escaped(text, true);
    }

    /** Whether a text has characters that cannot be seen; line breaks and tabs apart. */
    public static boolean hides(String text) {
        return text.codePoints()
                .anyMatch(point -> point != '\n' && point != '\t' && point != '\r' && isHidden(point));
    }

    private static String escaped(String text, boolean lines) {
        if (text.codePoints().noneMatch(point -> isHidden(point) && !(lines && point == '\n'))) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (!isHidden(point) || (lines && point == '\n')) {
                out.appendCodePoint(point);
            } else if (point == '\n') {
                out.append("\\n");
            } else if (point == '\t') {
                out.append("\\t");
            } else {
                out.append("\\u{").append(String.format("%04X", point)).append('}');
            }
        });
        return out.toString();
    }

    /** Whether a character shows nothing by itself. A plain space does not count. */
    static boolean isHidden(int point) {
        if (point < 0x7f) {
            return point < 0x20;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED,
                    Character.PRIVATE_USE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR ->
                true;
            default -> isBlank(point);
        };
    }

    /** Letters and marks that are drawn as nothing: fillers, variation selectors, the braille blank. */
    private static boolean isBlank(int point) {
        return point == 0x034f || point == 0x115f || point == 0x1160 || point == 0x17b4 || point == 0x17b5
                || (point >= 0x180b && point <= 0x180f) || point == 0x2800 || point == 0x3164
                || (point >= 0xfe00 && point <= 0xfe0f) || point == 0xffa0
                || (point >= 0xe0000 && point <= 0xe0fff);
    }
}
