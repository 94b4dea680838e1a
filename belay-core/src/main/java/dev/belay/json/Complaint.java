package dev.belay.json;

/**
 * Words the refusal of a text: what was expected, what was found, and for the mistakes models make, how it is written in JSON.
 * Lines and columns are counted here, so that only a failure pays for them.
 */
final class Complaint {

    private static final String ALONE = "the text must be one JSON value with nothing before or after it";

    private Complaint() {}

    /** A problem at a place. */
    static JsonSyntaxException at(String text, int offset, String problem) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset; i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n'))) {
                line++;
                lineStart = i + 1;
            }
        }
        return new JsonSyntaxException(problem, line, offset - lineStart + 1);
    }

    /** Something else than a value. */
    static JsonSyntaxException noValue(String text, int offset, String place) {
        if (offset >= text.length()) {
            return text.isBlank()
                    ? at(text, offset, "the text is empty, expected a JSON value")
                    : ended(text, place, "a value");
        }
        char c = text.charAt(offset);
        String hint = switch (c) {
            case ']', '}' -> afterComma(text, offset, c);
            case ',' -> "a value is missing before the comma";
            case '+' -> "a number is written without a plus sign";
            case '.' -> "a number starts with a digit, as in 0.5";
            default -> commonHint(text, offset);
        };
        return unexpected(text, offset, "a value", hint);
    }

    /** Something else than a field's name. */
    static JsonSyntaxException noName(String text, int offset) {
        String expected = "a field name in double quotes";
        if (offset >= text.length()) {
            return ended(text, "inside an object", expected);
        }
        char c = text.charAt(offset);
        String hint = c == '}'
                ? afterComma(text, offset, c)
                : c == ','
                        ? "one comma separates two fields"
                        : Found.isWordPart(c)
                                ? "field names stand in double quotes"
                                : commonHint(text, offset);
        return unexpected(text, offset, expected, hint);
    }

    /** Something else than a comma or the end of an object or array. */
    static JsonSyntaxException noSeparator(String text, int offset, String place, char close) {
        String expected = "',' or '" + close + "'";
        if (offset >= text.length()) {
            return ended(text, place, expected);
        }
        char c = text.charAt(offset);
        boolean afterString = offset > 0 && text.charAt(offset - 1) == '"';
        String hint = afterString && c != '}' && c != ']' && c != ':' && c != '"'
                ? "a double quote inside a string is written \\\""
                : c == '"' ? "a comma is missing" : commonHint(text, offset);
        return unexpected(text, offset, expected, hint);
    }

    /** Something else than the colon after a field's name. */
    static JsonSyntaxException noColon(String text, int offset) {
        return offset >= text.length()
                ? ended(text, "inside an object", "':' after the field name")
                : unexpected(text, offset, "':' after the field name", "");
    }

    /** Text after the value. */
    static JsonSyntaxException trailing(String text, int offset) {
        char c = text.charAt(offset);
        String hint = c == '/' || c == '#' ? commonHint(text, offset) : ALONE;
        return unexpected(text, offset, "the end of the text", hint);
    }

    /** The end of the text in the middle of something. */
    static JsonSyntaxException ended(String text, String place, String expected) {
        return at(text, text.length(), "the text ends " + place + ", expected " + expected);
    }

    /** A character or word that cannot stand where it stands, with advice that may be empty. */
    static JsonSyntaxException unexpected(String text, int offset, String expected, String hint) {
        String word = Found.word(text, offset);
        String found = word.length() > 1 ? "the word " + Found.cut(word) : Found.character(text, offset);
        return at(text, offset,
                "expected " + expected + ", found " + found + (hint.isEmpty() ? "" : ": " + hint));
    }

    private static String afterComma(String text, int offset, char close) {
        int before = offset - 1;
        while (before >= 0 && JsonScanner.isSpace(text.charAt(before))) {
            before--;
        }
        return before >= 0 && text.charAt(before) == ',' ? "no comma may stand before '" + close + "'" : "";
    }

    private static String commonHint(String text, int offset) {
        char c = text.charAt(offset);
        return switch (c) {
            case '\'' -> "strings and field names stand in double quotes";
            case '\u201c', '\u201d' -> "strings stand in plain double quotes, not in typographic ones";
            case '/', '#' -> "JSON has no comments";
            case '`' -> ALONE + ", without a ``` fence";
            case '\uFEFF' -> "the text must not start with a byte order mark";
            default -> Found.isWordPart(c) ? wordHint(text, offset) : "";
        };
    }

    private static String wordHint(String text, int offset) {
        return switch (Found.word(text, offset)) {
            case "True", "TRUE" -> "it is written true";
            case "False", "FALSE" -> "it is written false";
            case "None", "NULL", "Null", "nil", "undefined" -> "it is written null";
            case "NaN", "Infinity", "inf", "nan" -> "JSON has no NaN and no infinities";
            default -> isFirst(text, offset) ? ALONE : "text stands in double quotes";
        };
    }

    private static boolean isFirst(String text, int offset) {
        return text.substring(0, offset).isBlank();
    }
}
