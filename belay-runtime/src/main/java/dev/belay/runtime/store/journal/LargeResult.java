package dev.belay.runtime.store.journal;

import dev.belay.BelayException;
import dev.belay.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A result that is too large to stand in its record. A journal keeps it once, by its content, beside the records that refer to
 * it. Immutable.
 */
public final class LargeResult {

    /** A text with more bytes of UTF-8 does not stand in its record. */
    public static final int INLINE = 64 << 10;

    /** A text with more bytes of UTF-8 is refused. */
    public static final int LARGEST = 64 << 20;

    private final String hash;
    private final byte[] bytes;

    private LargeResult(byte[] bytes) {
        this.bytes = bytes;
        hash = ContentHash.of(bytes);
    }

    /**
     * The result as a large one; empty if it may stand in its record.
     *
     * @throws BelayException {@code resource_limit} if it is larger than {@link #LARGEST}
     */
    public static Optional<LargeResult> of(Json result) {
        String text = result.text();
        if (text.length() <= INLINE / 3) {
            return Optional.empty(); // no UTF-16 unit takes more than three bytes
        }
        if (text.length() > LARGEST) {
            throw tooLarge(text.length());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LARGEST) {
            throw tooLarge(bytes.length);
        }
        return bytes.length <= INLINE ? Optional.empty() : Optional.of(new LargeResult(bytes));
    }

    /** Throws {@code resource_limit} if a result is larger than {@link #LARGEST}. */
    static void requireFits(Json result) {
        String text = result.text();
        if (text.length() > LARGEST) {
            throw tooLarge(text.length());
        }
        if (text.length() > LARGEST / 3) {
            of(result);
        }
    }

    private static BelayException tooLarge(int found) {
        return new BelayException("resource_limit", "a result has at most " + LARGEST
                + " bytes of UTF-8, found at least " + found
                + "; return a part of it, or keep it elsewhere and return its name");
    }

    /** SHA-256 of the bytes, as sixty-four lower-case hexadecimal digits. */
    public String hash() {
        return hash;
    }

    /** A copy of the text's bytes in UTF-8. */
    public byte[] bytes() {
        return bytes.clone();
    }
}
