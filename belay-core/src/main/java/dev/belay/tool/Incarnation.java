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

    /** Draws one that nobody can guess. This is the only randomness that core draws by itself. */
    public static Incarnation random() {
        return random(new SecureRandom());
    }

    /** Draws one. */
    public static Incarnation random(RandomGenerator random) {
        return new Incarnation(random.nextLong(), random.nextLong());
    }

    /** The sixteen bytes, big-endian. */
    public byte[] bytes() {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes());
    }
}
