package dev.belay.json;

/** How offending text is shown in messages: readable, escaped and short. */
final class Found {

    private static final int LONGEST = 60;

    private Found() {}

    /** The text, cut if it is long, but not inside an escape; control characters and lone surrogates are escaped. */
    static String cut(String text) {
        var out = new StringBuilder();
        int at = 0;
        while (at < text.length() && at < LONGEST) {
            int c = text.codePointAt(at);
            if (c == '\\' && at + (text.startsWith("u", at + 1) ? 6 : 2) > LONGEST) {
                break;
            }
            if (isReadable(c) || c == ' ') {
                out.appendCodePoint(c);
            } else {
                out.append(String.format("\\u%04x", c));
            }
            at += Character.charCount(c);
        }
        return at < text.length() ? out.append("…").toString() : out.toString();
    }

    /** The character at a place, in quotes and with its number where it is not plain ASCII. */
    static String character(String text, int offset) {
        int c = text.codePointAt(offset);
        if (c == '\'') {
            return "a single quote";
        }
        String number = String.format("U+%04X", c);
        if (!isReadable(c)) {
            return number;
        }
        return c < 0x7f ? "'" + (char) c + "'" : "'" + Character.toString(c) + "' (" + number + ")";
    }

    /** The letters, digits and underscores from a place on; empty if it starts with none. */
    static String word(String text, int offset) {
        int end = offset;
        while (end < text.length() && isWordPart(text.charAt(end))) {
            end++;
        }
        return text.substring(offset, end);
    }

    static boolean isWordPart(char c) {
        return c == '_' || c == '$' || Character.isLetterOrDigit(c);
    }

    private static boolean isReadable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR ->
                false;
            default -> true;
        };
    }
}
