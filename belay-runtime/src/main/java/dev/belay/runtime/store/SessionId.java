package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import java.util.Comparator;

/**
 * Names a session. The program that opens it chooses the name: a customer, a ticket, a chat.
 *
 * @param value 1 to 200 characters, none of them a control character
 */
public record SessionId(String value) {

    /** By code points: the order that databases give to UTF-8. */
    public static final Comparator<String> BY_CODE_POINTS = SessionId::compareCodePoints;
    /** By the code points of the names. */
    public static final Comparator<SessionId> ORDER = Comparator.comparing(SessionId::value, BY_CODE_POINTS);

    private static final int LONGEST = 200;

    /** Checks the length and the characters. */
    public SessionId {
        StoredNames.check("a session id", value, LONGEST);
    }

    /** UTF-16 has the surrogates, which stand for the highest code points, below the last characters of the first plane. */
    private static int compareCodePoints(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                boolean high = Character.isSurrogate(a);
                return high == Character.isSurrogate(b) ? Character.compare(a, b) : high ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /** A JSON string; the form is stable. */
    public Json toJson() {
        return Json.string(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
