package dev.belay.json;

/** JSON of another kind, range or shape than asked for. */
public final class JsonMismatchException extends JsonException {

    private static final long serialVersionUID = 1L;

    /** Creates one; the message says what was expected and what was found. */
    public JsonMismatchException(String message) {
        super("json_mismatch", message);
    }

    /** A value of the wrong kind; the text of a scalar is shown. */
    static JsonMismatchException of(Json.Kind wanted, Json.Kind found, String text) {
        boolean shown = found == Json.Kind.STRING || found == Json.Kind.NUMBER || found == Json.Kind.BOOLEAN;
        return new JsonMismatchException("expected " + wanted.phrase() + ", found " + found.phrase()
                + (shown ? ": " + Found.cut(text) : ""));
    }
}
