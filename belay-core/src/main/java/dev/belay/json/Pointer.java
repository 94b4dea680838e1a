package dev.belay.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows RFC 6901 pointers. */
final class Pointer {

    private static final int LONGEST_INDEX = 9;

    private Pointer() {}

    /** The value a pointer leads to, or null. */
    static @Nullable Json follow(Json root, String pointer) {
        if (!pointer.isEmpty() && pointer.charAt(0) != '/') {
            throw new IllegalArgumentException(
                    "a JSON pointer is empty or starts with '/', was: " + Found.cut(pointer));
        }
        Json value = root;
        int start = 1;
        while (start <= pointer.length()) {
            int slash = pointer.indexOf('/', start);
            int end = slash < 0 ? pointer.length() : slash;
            String token = unescape(pointer, start, end);
            // an absent value does not end the walk: the rest of the pointer is checked too
            value = value == null ? null : step(value, token);
            start = end + 1;
        }
        return value;
    }

    private static @Nullable Json step(Json value, String token) {
        return switch (value.kind()) {
            case OBJECT -> value.fields().get(token);
            case ARRAY -> item(value.items(), token);
            case STRING, NUMBER, BOOLEAN, NULL -> null;
        };
    }

    private static @Nullable Json item(List<Json> items, String token) {
        boolean canonical = !token.isEmpty() && token.length() <= LONGEST_INDEX
                && (token.length() == 1 || token.charAt(0) != '0')
                && token.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!canonical) {
            return null;
        }
        int index = Integer.parseInt(token);
        return index < items.size() ? items.get(index) : null;
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
