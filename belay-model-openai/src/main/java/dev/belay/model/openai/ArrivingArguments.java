package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call while they arrive. Each character is looked at when it comes, and the text is parsed once, when its
 * outermost brace closes; so a stream of many pieces takes linear time. Confined to one answer.
 */
final class ArrivingArguments {

    private final StringBuilder text = new StringBuilder();
    private int open;
    private boolean opened;
    private boolean inString;
    private boolean escaped;
    /** Whether it is one object; null until its outermost brace has closed. */
    private @Nullable Boolean whole;

    void add(String piece) {
        text.append(piece);
        if (whole != null) {
            whole = whole && piece.isBlank();
            return;
        }
        for (int i = 0; i < piece.length(); i++) {
            look(piece.charAt(i));
        }
        if (opened && open <= 0) {
            whole = isObject();
        }
    }

    private void look(char c) {
        if (inString) {
            inString = escaped || c != '"';
            escaped = !escaped && c == '\\';
            return;
        }
        switch (c) {
            case '"' -> inString = true;
            case '{' -> {
                open++;
                opened = true;
            }
            case '}' -> open--;
            default -> {
            }
        }
    }

    private boolean isObject() {
        try {
            return Json.of(text.toString()).kind() == Json.Kind.OBJECT;
        } catch (JsonException broken) {
            return false;
        }
    }

    /** Whether they are a complete object. */
    boolean isWhole() {
        return Boolean.TRUE.equals(whole);
    }

    boolean are(String other) {
        return other.contentEquals(text);
    }

    /** What has arrived from a place on. */
    String from(int start) {
        return text.substring(start);
    }
}
