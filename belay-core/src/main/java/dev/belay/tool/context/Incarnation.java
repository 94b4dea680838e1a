package dev.belay.tool.context;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * 128 random bits made with a session or transcript, and copied by no fork, import or re-creation. They keep the idempotency
 * keys of two conversations apart even if everything else about them is equal. Immutable.
 */
public final class Incarnation {

    private static final int LENGTH = 16;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private final long high;
    private final long low;
    private final String text;

    /**
     * One of known bits.
     *
     * @param high the first 64
     * @param low the last 64
     */
    public Incarnation(long high, long low) {
        this.high = high;
        this.low = low;
        this.text = digits(high, low);
    }

    /** The first 64 bits. */
    public long high() {
        return high;
    }

    /** The last 64 bits. */
    public long low() {
        return low;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Incarnation same && high == same.high && low == same.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high) * 31 + Long.hashCode(low);
    }

    /** Draws an unguessable one. This is the only randomness that core draws by itself. */
    public static Incarnation random() {
        return random(new SecureRandom());
    }

    /** Draws one. */
    public static Incarnation random(RandomGenerator random) {
        if (random instanceof SecureRandom secure) { // which gives sixteen bytes as quickly as four
            ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
            secure.nextBytes(bytes.array());
            return new Incarnation(bytes.getLong(), bytes.getLong());
        }
        return new Incarnation(random.nextLong(), random.nextLong());
    }

    /** The one that {@link #toString} has written. */
    public static Incarnation parse(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        if (bytes.remaining() != LENGTH) {
            throw new IllegalArgumentException(
                    "an incarnation has " + LENGTH + " bytes, found " + bytes.remaining());
        }
        return new Incarnation(bytes.getLong(), bytes.getLong());
    }

    /** Whether {@link #toString} stands in a text at an index. */
    public boolean isAt(String text, int index) {
        if (index + 2 * LENGTH > text.length()) {
            return false;
        }
        for (int at = 0; at < LENGTH; at++) {
            int shift = Long.SIZE - 4 * (at + 1);
            if (text.charAt(index + at) != DIGITS[(int) (high >>> shift) & 0xf]
                    || text.charAt(index + LENGTH + at) != DIGITS[(int) (low >>> shift) & 0xf]) {
                return false;
            }
        }
        return true;
    }

    /** The sixteen bytes, big-endian. */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /** Thirty-two lower-case hexadecimal digits; the names of scopes are made of them, several times in each turn. */
    @Override
    public String toString() {
        return text;
    }

    private static String digits(long high, long low) {
        byte[] digits = new byte[2 * LENGTH];
        for (int at = 0; at < LENGTH; at++) {
            int shift = Long.SIZE - 4 * (at + 1);
            digits[at] = DIGITS[(int) (high >>> shift) & 0xf];
            digits[LENGTH + at] = DIGITS[(int) (low >>> shift) & 0xf];
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }
}
