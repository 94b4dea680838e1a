package dev.belay.json;

/** JSON of another kind, range or shape than asked for. */
public final class JsonMismatchException extends JsonException {

    private static final long serialVersionUID = 1L;

    /** Creates one; the message says what was expected and what was found. */
    public JsonMismatchException(String message) {
        super("json_mismatch", message);
    }
}
