package dev.belay.tool.context;

/**
 * The signed name of a durable wait, as one URL-safe string. The whole string is enough to complete the call; the id alone
 * may be shown and logged.
 *
 * @param id the public part
 * @param token the whole string
 */
public record CompletionKey(String id, String token) {

    /** Shows only the public part. */
    @Override
    public String toString() {
        return "CompletionKey[" + id + "]";
    }
}
