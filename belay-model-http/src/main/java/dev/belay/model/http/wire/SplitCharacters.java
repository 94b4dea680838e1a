package dev.belay.model.http.wire;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import java.util.HexFormat;

/**
 * Carries halves of characters through JSON. A server may split a surrogate pair over two pieces of a stream, and {@link Json}
 * refuses both halves. So each half is read as a mark and four hexadecimal digits, and becomes a half again when the text is told.
 * The mark is a noncharacter of Unicode; where it occurs itself, it is marked too. Stateless.
 */
public final class SplitCharacters {

    private static final char MARK = '\uFDD0';
    private static final int ESCAPE = 6;
    private static final int DIGITS = 4;

    private SplitCharacters() {}

    /** Parses JSON of a server; {@link dev.belay.json.JsonException} if it is none. */
    public static Json read(String json) {
        return Json.of(marked(json));
    }

    /** A text that was taken from such JSON, with its halves. */
    public static String text(String taken) {
        int at = taken.indexOf(MARK);
        if (at < 0) {
            return taken;
        }
        StringBuilder out = new StringBuilder(taken.length());
        int plain = 0;
        for (; at >= 0; at = taken.indexOf(MARK, plain)) {
            out.append(taken, plain, at);
            boolean marked = isUnit(taken, at + 1);
            out.append(marked ? unit(taken, at + 1) : MARK);
            plain = at + 1 + (marked ? DIGITS : 0);
        }
        return out.append(taken, plain, taken.length()).toString();
    }

    /** JSON that was made of such JSON, without marks: halves side by side are a character, others become {@code U+FFFD}. */
    public static Json whole(Json made) {
        String text = made.text();
        return text.indexOf(MARK) < 0 ? made : Json.foreign(text(text), JsonLimits.DEFAULT);
    }

    private static String marked(String json) {
        if (json.indexOf(MARK) < 0 && json.indexOf("\\u") < 0) {
            return json;
        }
        StringBuilder out = new StringBuilder(json.length());
        int at = 0;
        while (at < json.length()) {
            int length = length(json, at);
            if (length == ESCAPE && needsMark(unit(json, at + 2))) {
                out.append(MARK).append(json, at + 2, at + ESCAPE);
            } else if (json.charAt(at) == MARK) {
                out.append(MARK).append(HexFormat.of().toHexDigits(MARK));
            } else {
                out.append(json, at, at + length);
            }
            at += length;
        }
        return out.toString();
    }

    private static boolean needsMark(char unit) {
        return unit == MARK || Character.isSurrogate(unit);
    }

    /** The length of the character or escape at a place; the two escapes of a pair are one. */
    private static int length(String json, int at) {
        if (json.charAt(at) != '\\') {
            return 1;
        }
        if (!json.startsWith("u", at + 1) || !isUnit(json, at + 2)) {
            return Math.min(2, json.length() - at);
        }
        boolean pair = json.startsWith("\\u", at + ESCAPE) && isUnit(json, at + ESCAPE + 2)
                && Character.isSurrogatePair(unit(json, at + 2), unit(json, at + ESCAPE + 2));
        return pair ? 2 * ESCAPE : ESCAPE;
    }

    private static boolean isUnit(String text, int start) {
        return start + DIGITS <= text.length()
                && text.substring(start, start + DIGITS).chars().allMatch(HexFormat::isHexDigit);
    }

    private static char unit(String text, int start) {
        return (char) HexFormat.fromHexDigits(text, start, start + DIGITS);
    }
}
