package dev.belay.model.http;

/**
 * A secret that is sent and never shown, neither by {@code toString} nor in a message. White space around it, such as the line
 * feed at the end of a file, is dropped. Thread-safe: immutable.
 */
public final class ApiKey {

    private final String value;
    private final String variable;

    private ApiKey(String value, String variable) {
        this.value = value;
        this.variable = variable;
    }

    /**
     * Takes a key.
     *
     * @param value visible ASCII; white space around it is dropped
     * @throws IllegalArgumentException if it is empty or no header can carry it; the message does not show it
     */
    public static ApiKey of(String value) {
        String trimmed = value.strip();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("an API key must not be empty");
        }
        if (!trimmed.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "an API key must consist of visible ASCII characters; this one ("
                            + trimmed.length() + " characters, not shown) has others: copy it again");
        }
        return new ApiKey(trimmed, "");
    }

    /** The same key, for messages: the environment variable that it was taken from. */
    public ApiKey from(String name) {
        return new ApiKey(value, name);
    }

    /** The environment variable that it was taken from; empty if that is not known. */
    public String variable() {
        return variable;
    }

    /** The secret itself, for the header that carries it. */
    public String reveal() {
        return value;
    }

    /** Says that there is a key, not which. */
    @Override
    public String toString() {
        return "ApiKey[not shown]";
    }
}
