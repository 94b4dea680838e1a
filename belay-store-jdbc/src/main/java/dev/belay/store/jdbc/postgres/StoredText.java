package dev.belay.store.jdbc.postgres;

/**
 * Texts as PostgreSQL can keep them: UTF-8 has no lone surrogates, and a text has no NUL. Such characters become two others, so that
 * the order of code points stays: NUL and U+0001 follow a U+0001, and lone surrogates and U+D7FF, which Unicode gives to no character,
 * follow a U+D7FF. Every other text is kept as it is.
 */
final class StoredText {

    private static final char LOW = '\u0001';
    private static final char HIGH = '\ud7ff';
    /** Behind an escape: the escape itself. For {@link #HIGH} it is below all moved surrogates. */
    private static final char ITSELF = '\u0002';
    /** Where lone surrogates are moved to, behind {@link #HIGH}: a part of the private use area. */
    private static final char MOVED = '\ue000';

    private StoredText() {}

    static String encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= LOW || (c >= HIGH && c < MOVED)) {
                return isPair(text, i) ? encodeFrom(text, i) : escape(text, i);
            }
        }
        return text;
    }

    /** Most texts with surrogates have whole pairs only. */
    private static String encodeFrom(String text, int from) {
        int i = from;
        while (i < text.length()) {
            if (isPair(text, i)) {
                i += 2;
            } else if (isPlain(text.charAt(i))) {
                i++;
            } else {
                return escape(text, i);
            }
        }
        return text;
    }

    private static boolean isPlain(char c) {
        return c > LOW && (c < HIGH || c >= MOVED);
    }

    private static boolean isPair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at)) && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    private static String escape(String text, int from) {
        var stored = new StringBuilder(text.length() + 8).append(text, 0, from);
        int i = from;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (isPlain(c)) {
                stored.append(c);
            } else if (c <= LOW) {
                stored.append(LOW).append((char) (c + 1));
            } else if (c == HIGH) {
                stored.append(HIGH).append(ITSELF);
            } else if (isPair(text, i - 1)) {
                stored.append(c).append(text.charAt(i++));
            } else {
                stored.append(HIGH).append((char) (c - Character.MIN_SURROGATE + MOVED));
            }
        }
        return stored.toString();
    }

    static String decode(String stored) {
        if (stored.indexOf(LOW) < 0 && stored.indexOf(HIGH) < 0) {
            return stored;
        }
        var text = new StringBuilder(stored.length());
        for (int i = 0; i < stored.length(); i++) {
            char c = stored.charAt(i);
            if ((c != LOW && c != HIGH) || i + 1 == stored.length()) {
                text.append(c);
                continue;
            }
            char next = stored.charAt(++i);
            if (c == LOW) {
                text.append((char) (next - 1));
            } else {
                text.append(next == ITSELF ? HIGH : (char) (next - MOVED + Character.MIN_SURROGATE));
            }
        }
        return text.toString();
    }
}
