package dev.belay.json;

import dev.belay.BelayException;

/** JSON that cannot be read or written as asked. */
public abstract sealed class JsonException extends BelayException
        permits JsonSyntaxException, JsonMismatchException {

    private static final long serialVersionUID = 1L;

    JsonException(String code, String message) {
        super(code, message);
    }
}
