package dev.belay.runtime.effect;

import dev.belay.schema.Wording;

/** Checks names that are stored. */
public final class StoredNames {

    private static final int SHOWN = 80;

    private StoredNames() {}

    /** Refuses a name that is empty, too long, or holds control characters or half characters. */
    public static void check(String what, String value, int longest) {
        if (value.isEmpty() || value.length() > longest) {
            throw new IllegalArgumentException(what + " has 1 to " + longest + " characters, found "
                    + value.length() + ": \"" + Wording.shown(value, SHOWN) + "\"");
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i)) || lonelySurrogate(value, i)) {
                throw new IllegalArgumentException(
                        what + " has no control characters and no half characters, found one at "
                                + i + ": \"" + Wording.shown(value, SHOWN) + "\"");
            }
        }
    }

    /** Half of a pair cannot be stored as UTF-8: two names would become one. */
    private static boolean lonelySurrogate(String value, int at) {
        char c = value.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == value.length() || !Character.isLowSurrogate(value.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(value.charAt(at - 1)));
    }
}
