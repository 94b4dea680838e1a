package dev.belay.tool;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * 128 random bits made with a session or transcript, and copied by no fork, import or re-creation. They keep the idempotency
 * keys of two conversations apart even if everything else about them is equal.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Incarnation(long high, long low) {

    private static final int LENGTH = 16;

    /** Draws one that nobody can guess. This is the only randomness that core draws by itself. */
    public static Incarnation random() {
        return random(new SecureRandom());
    }

    /** Draws one. */
    public static Incarnation random(RandomGenerator random) {
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

    /** The sixteen bytes, big-endian. */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes());
    }
}
