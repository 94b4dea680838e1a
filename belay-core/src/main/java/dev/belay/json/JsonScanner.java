package dev.belay.json;

/**
 * Moves over the words of JSON text: white space, strings, numbers and literals. It knows nothing of objects and arrays, which
 * are {@link JsonReader}'s. Confined to one call.
 */
final class JsonScanner {

    /** Stands for the end of the text where a character is asked for. */
    static final int NONE = -1;

    String text;
    int end;
    int position;

    JsonScanner(String text, int start, int end) {
        this.text = text;
        this.position = start;
        this.end = end;
    }

    /** The levels of objects and arrays in text that is well formed. */
    static int height(String text) {
        int height = 0;
        int depth = 0;
        boolean inString = false;
        for (int at = 0; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case '"' -> inString = !inString;
                case '\\' -> at++; // only strings have escapes
                case '{', '[' -> {
                    depth += inString ? 0 : 1;
                    height = Math.max(height, depth);
                }
                case '}', ']' -> depth -= inString ? 0 : 1;
                default -> {
                }
            }
        }
        return height;
    }

    /** Goes on with another text. */
    void on(String other, int from, int to) {
        text = other;
        position = from;
        end = to;
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** Moves over white space; the character that follows, or {@link #NONE}. */
    int next() {
        int at = position;
        while (at < end) {
            char c = text.charAt(at);
            if (c > ' ' || !isSpace(c)) {
                position = at;
                return c;
            }
            at++;
        }
        position = at;
        return NONE;
    }

    /** Whether exactly this word stands here. */
    boolean isWord(String word) {
        int after = position + word.length();
        return text.startsWith(word, position) && (after >= end || !Found.isWordPart(text.charAt(after)));
    }

    /** Moves over a string, from its opening quote past its closing one; says whether it has escapes. */
    boolean string() {
        boolean escaped = false;
        int at = position + 1;
        while (true) {
            if (at >= end) {
                throw Complaint.ended(text, "inside a string", "a closing double quote");
            }
            char c = text.charAt(at);
            if (c == '"') {
                position = at + 1;
                return escaped;
            }
            if (c == '\\') {
                escaped = true;
                at = escape(at);
            } else if (c < ' ') {
                throw Complaint.unexpected(text, at, "a character of a string",
                        "control characters are escaped, this one as "
                                + quoted(c));
            } else if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c) || at + 1 >= end
                        || !Character.isLowSurrogate(text.charAt(at + 1))) {
                    throw lone(at, Found.character(text, at));
                }
                at += 2;
            } else {
                at++;
            }
        }
    }

    private static String quoted(char c) {
        var out = new StringBuilder();
        Escapes.appendQuoted(out, String.valueOf(c));
        return out.substring(1, out.length() - 1);
    }

    private int escape(int backslash) {
        int at = backslash + 1;
        if (at >= end) {
            throw Complaint.ended(text, "inside a string", "an escape after \\");
        }
        return switch (text.charAt(at)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
            case 'u' -> unicodeEscape(backslash);
            default -> throw Complaint.at(text, at, "expected one of \" \\ / b f n r t u after \\, found "
                    + Found.character(text, at) + ": a backslash itself is written \\\\");
        };
    }

    private int unicodeEscape(int backslash) {
        char unit = hex4(backslash + 2);
        int after = backslash + 6;
        if (!Character.isSurrogate(unit)) {
            return after;
        }
        boolean pair = Character.isHighSurrogate(unit) && after + 1 < end && text.charAt(after) == '\\'
                && text.charAt(after + 1) == 'u' && Character.isLowSurrogate(hex4(after + 2));
        if (!pair) {
            throw lone(backslash, text.substring(backslash, after));
        }
        return after + 6;
    }

    private char hex4(int start) {
        int value = 0;
        for (int at = start; at < start + 4; at++) {
            if (at >= end) {
                throw Complaint.ended(text, "inside a string", "four hexadecimal digits after \\u");
            }
            int digit = hexDigit(text.charAt(at));
            if (digit < 0) {
                throw Complaint.at(text, at,
                        "expected four hexadecimal digits after \\u, found " + Found.character(text, at));
            }
            value = (value << 4) | digit;
        }
        return (char) value;
    }

    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1; // Character.digit alone takes the digits of every script
    }

    private JsonSyntaxException lone(int at, String shown) {
        return Complaint.at(text, at,
                "expected whole characters in a string, found the lone surrogate " + shown
                        + ": a high surrogate is followed by a low one");
    }

    /** Moves over a number. */
    void number() {
        int start = position;
        int at = text.charAt(start) == '-' ? start + 1 : start;
        int mark = -1;
        if (at < end && text.charAt(at) == '0') {
            at++;
            if (at < end && isDigit(text.charAt(at))) {
                throw Complaint.at(text, at, "expected a number without leading zeros, found "
                        + Found.character(text, at) + " after 0");
            }
        } else {
            at = digits(at, "after '-'");
        }
        if (at < end && text.charAt(at) == '.') {
            at = digits(at + 1, "after the decimal point");
        }
        if (at < end && (text.charAt(at) | 0x20) == 'e') {
            mark = at++;
            if (at < end && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            at = digits(at, "in the exponent");
        }
        String excess = Decimal.excess(text, start, at, mark);
        if (!excess.isEmpty()) {
            throw Complaint.at(text, start, excess);
        }
        position = at;
    }

    private int digits(int start, String place) {
        int at = start;
        while (at < end && isDigit(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            if (at >= end) {
                throw Complaint.ended(text, "inside a number", "a digit " + place);
            }
            String hint = text.startsWith("Inf", at) || text.startsWith("NaN", at)
                    ? "JSON has no NaN and no infinities"
                    : "";
            throw Complaint.unexpected(text, at, "a digit " + place, hint);
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
