package dev.belay.json;

/**
 * Bounds of parsing.
 *
 * @param maxBytes UTF-8 length of the text; at least 1
 * @param maxDepth nesting of objects and arrays; from 1 to {@value #DEEPEST}
 */
public record JsonLimits(int maxBytes, int maxDepth) {

    /** No limit allows more levels: trees are walked recursively, and what is written must be readable again. */
    public static final int DEEPEST = 512;

    /** For text of unknown origin with no tighter bound: 64 MiB, depth 512. */
    public static final JsonLimits DEFAULT = new JsonLimits(64 << 20, DEEPEST);
    /** For arguments of a tool call: 1 MiB, depth 128. */
    public static final JsonLimits ARGUMENTS = new JsonLimits(1 << 20, 128);
    /** For a schema: 256 KiB, depth 64. */
    public static final JsonLimits SCHEMA = new JsonLimits(256 << 10, 64);

    /** Checks both bounds. */
    public JsonLimits {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be at least 1, was " + maxBytes);
        }
        if (maxDepth < 1 || maxDepth > DEEPEST) {
            throw new IllegalArgumentException("maxDepth must be from 1 to " + DEEPEST + ", was " + maxDepth);
        }
    }

    /** Refuses text that is too long, at the first character over the limit. */
    void checkBytes(String text) {
        if (text.length() <= maxBytes / 3) {
            return; // no UTF-16 unit takes more than three bytes
        }
        int bytes = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            // a surrogate pair takes four bytes, two for each half
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            if (bytes > maxBytes) {
                throw Complaint.at(text, at,
                        "the text may have at most " + maxBytes + " bytes of UTF-8, found more");
            }
        }
    }
}
