package dev.belay.store.jdbc;

import dev.belay.runtime.store.journal.JournalProbe;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The options of a store in a PostgreSQL schema. {@link #STANDARD} is right for almost every program. All nodes on one schema must
 * have the same lease.
 *
 * @param schema the name of the schema that holds the tables
 * @param probe called for each write; for tests
 * @param maxBatch at most this many writes share a commit; 1 gives each its own
 * @param maxBatchBytes at most about this many bytes share a commit; a larger write has its own
 * @param lease how long a node that is not heard of counts as alive; it is renewed three times as often
 * @param answerWithin how long a write waits for the server to tell whether an unanswered commit has happened
 * @param random makes owners, incarnations and secrets; its numbers must be unpredictable
 * @param secrets signs completion keys
 */
public record PostgresOptions(String schema, JournalProbe probe, int maxBatch, int maxBatchBytes,
        Duration lease,
        Duration answerWithin, RandomGenerator random, SigningSecrets secrets) {

    /** Long enough for a pause of a node or its network, short enough to wait for a take-over. */
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** Longer than the restart of a server. */
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);
    /** As SQLite's: more writes in one commit make each wait longer and save little. */
    private static final int MAX_BATCH = 256;
    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final int LONGEST_NAME = 63;

    /** The schema {@code belay}, no probe, 256 writes or 1 MiB per commit, a lease of 30 seconds, a secret in the store. */
    public static final PostgresOptions STANDARD = new PostgresOptions("belay", JournalProbe.NONE, MAX_BATCH,
            MAX_BATCH_BYTES, LEASE, ANSWER_WITHIN, new SecureRandom(), SigningSecrets.IN_THE_STORE);

    /** Checks names and numbers. */
    public PostgresOptions {
        Objects.requireNonNull(probe, "probe");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(secrets, "secrets");
        if (schema.isEmpty() || schema.length() > LONGEST_NAME || schema.indexOf(0) >= 0) {
            throw new IllegalArgumentException("the name of a schema has from 1 to " + LONGEST_NAME
                    + " characters and no NUL, found \"" + schema + "\"");
        }
        if (maxBatch < 1 || maxBatchBytes < 1) {
            throw new IllegalArgumentException(
                    "maxBatch and maxBatchBytes must be at least 1, found " + maxBatch
                            + " and " + maxBatchBytes);
        }
        if (lease.toMillis() < 100 || answerWithin.isNegative()) {
            throw new IllegalArgumentException("lease must be at least 100 ms and answerWithin not negative,"
                    + " found " + lease + " and " + answerWithin);
        }
    }

    /** The same in another schema. */
    public PostgresOptions withSchema(String other) {
        return new PostgresOptions(other, probe, maxBatch, maxBatchBytes, lease, answerWithin, random,
                secrets);
    }

    /** The same with a probe. */
    public PostgresOptions withProbe(JournalProbe other) {
        return new PostgresOptions(schema, other, maxBatch, maxBatchBytes, lease, answerWithin, random,
                secrets);
    }

    /** The same with another number of writes per commit. */
    public PostgresOptions withMaxBatch(int other) {
        return new PostgresOptions(schema, probe, other, maxBatchBytes, lease, answerWithin, random, secrets);
    }

    /** The same with another lease. */
    public PostgresOptions withLease(Duration other) {
        return new PostgresOptions(schema, probe, maxBatch, maxBatchBytes, other, answerWithin, random,
                secrets);
    }

    /** The same with another time to wait for the answer of a commit. */
    public PostgresOptions withAnswerWithin(Duration other) {
        return new PostgresOptions(schema, probe, maxBatch, maxBatchBytes, lease, other, random, secrets);
    }

    /** The same with another source of random numbers. */
    public PostgresOptions withRandom(RandomGenerator other) {
        return new PostgresOptions(schema, probe, maxBatch, maxBatchBytes, lease, answerWithin, other,
                secrets);
    }

    /** The same with secrets from outside, which are not stored. */
    public PostgresOptions withSecrets(SigningSecrets other) {
        return new PostgresOptions(schema, probe, maxBatch, maxBatchBytes, lease, answerWithin, random,
                other);
    }
}
