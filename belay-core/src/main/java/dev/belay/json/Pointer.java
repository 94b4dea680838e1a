package dev.belay.json;

import java.util.ArrayList;
import java.util.List;

/** Reads RFC 6901 pointers. */
final class Pointer {

    private static final int LONGEST_INDEX = 9;

    private Pointer() {}

    /** The field names and indexes of a pointer, in order; {@link IllegalArgumentException} if it is no pointer. */
    static List<String> tokens(String pointer) {
        if (!pointer.isEmpty() && pointer.charAt(0) != '/') {
            throw new IllegalArgumentException(
                    "a JSON pointer is empty or starts with '/', was: " + Found.cut(pointer));
        }
        List<String> tokens = new ArrayList<>();
        for (int start = 1; start <= pointer.length();) {
            int slash = pointer.indexOf('/', start);
            int end = slash < 0 ? pointer.length() : slash;
            tokens.add(unescape(pointer, start, end));
            start = end + 1;
        }
        return tokens;
    }

    /** The index that a token stands for, or -1 if it stands for none. */
    static int index(String token) {
        boolean canonical = !token.isEmpty() && token.length() <= LONGEST_INDEX
                && (token.length() == 1 || token.charAt(0) != '0')
                && token.chars().allMatch(c -> c >= '0' && c <= '9');
        return canonical ? Integer.parseInt(token) : -1;
    }

    private static String unescape(String pointer, int start, int end) {
        String token = pointer.substring(start, end);
        for (int at = token.indexOf('~'); at >= 0; at = token.indexOf('~', at + 1)) {
            if (at + 1 == token.length() || (token.charAt(at + 1) != '0' && token.charAt(at + 1) != '1')) {
                throw new IllegalArgumentException(
                        "in a JSON pointer '~' is followed by 0 or 1, was: " + Found.cut(pointer));
            }
        }
        return token.replace("~1", "/").replace("~0", "~");
    }
}
