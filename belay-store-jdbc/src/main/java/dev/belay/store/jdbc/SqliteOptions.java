package dev.belay.store.jdbc;

import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.store.jdbc.file.StorePlace;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The options of a store in a SQLite file. {@link #STANDARD} is right for almost every program.
 *
 * @param probe called for each write; for tests
 * @param maxBatch at most this many writes share a commit; 1 gives each its own
 * @param maxBatchBytes at most about this many bytes share a commit; a larger write has its own
 * @param busyTimeout how long a write waits for another process that writes to the same file
 * @param maxFileBytes the limit of the file's size, or 0 for no limit but the disk
 * @param random makes owners, incarnations and secrets; its numbers must be unpredictable
 * @param secrets signs completion keys
 * @param fileSystemType names the file system of a directory, as {@code FileStore.type()} does
 * @param mark is put into a new file, and must be kept secret; the empty text puts none
 */
public record SqliteOptions(JournalProbe probe, int maxBatch, int maxBatchBytes, Duration busyTimeout,
        long maxFileBytes, RandomGenerator random, SigningSecrets secrets,
        Function<Path, String> fileSystemType, String mark) {

    /** More writes in one commit make each wait longer and save little. */
    private static final int MAX_BATCH = 256;
    private static final int MAX_BATCH_BYTES = 1 << 20;
    /** Longer than any commit of another process; a process that holds the lock for longer hangs. */
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);

    /** No probe, 256 writes or 1 MiB per commit, a busy timeout of 10 seconds, no limit of size, secure random numbers, a secret in the store. */
    public static final SqliteOptions STANDARD = new SqliteOptions(JournalProbe.NONE, MAX_BATCH,
            MAX_BATCH_BYTES, BUSY_TIMEOUT, 0, new SecureRandom(), SigningSecrets.IN_THE_STORE,
            StorePlace::fileSystemType, "");

    /** Checks the numbers. */
    public SqliteOptions {
        Objects.requireNonNull(probe, "probe");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(secrets, "secrets");
        Objects.requireNonNull(fileSystemType, "fileSystemType");
        Objects.requireNonNull(mark, "mark");
        check("maxBatch", maxBatch, 1, Integer.MAX_VALUE);
        check("maxBatchBytes", maxBatchBytes, 1, Integer.MAX_VALUE);
        check("busyTimeout in milliseconds", busyTimeout.toMillis(), 0, Integer.MAX_VALUE);
        check("maxFileBytes", maxFileBytes, 0, Long.MAX_VALUE);
    }

    private static void check(String what, long found, long least, long most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(
                    what + " must be from " + least + " to " + most + ", found " + found);
        }
    }

    /** The same with a probe. */
    public SqliteOptions withProbe(JournalProbe other) {
        return new SqliteOptions(other, maxBatch, maxBatchBytes, busyTimeout, maxFileBytes, random, secrets,
                fileSystemType, mark);
    }

    /** The same with a commit for each write. */
    public SqliteOptions onePerCommit() {
        return withMaxBatch(1);
    }

    /** The same with another number of writes per commit. */
    public SqliteOptions withMaxBatch(int other) {
        return new SqliteOptions(probe, other, maxBatchBytes, busyTimeout, maxFileBytes, random, secrets,
                fileSystemType, mark);
    }

    /** The same with another number of bytes per commit. */
    public SqliteOptions withMaxBatchBytes(int other) {
        return new SqliteOptions(probe, maxBatch, other, busyTimeout, maxFileBytes, random, secrets,
                fileSystemType, mark);
    }

    /** The same with another time to wait for other processes. */
    public SqliteOptions withBusyTimeout(Duration other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, other, maxFileBytes, random, secrets,
                fileSystemType, mark);
    }

    /** The same with a limit of the file's size. */
    public SqliteOptions withMaxFileBytes(long other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, busyTimeout, other, random, secrets,
                fileSystemType, mark);
    }

    /** The same with another source of random numbers. */
    public SqliteOptions withRandom(RandomGenerator other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, busyTimeout, maxFileBytes, other, secrets,
                fileSystemType, mark);
    }

    /** The same with secrets from outside, which are not stored. */
    public SqliteOptions withSecrets(SigningSecrets other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, busyTimeout, maxFileBytes, random, other,
                fileSystemType, mark);
    }

    /** The same with another function that names a file system. */
    public SqliteOptions withFileSystemType(Function<Path, String> other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, busyTimeout, maxFileBytes, random, secrets,
                other, mark);
    }

    /**
     * The same with a mark. Opening a file that has one refuses a write-ahead log that no store of this file has left: SQLite would take
     * it for the last writes to the file, whoever put it there. {@link JdbcStore#mark} tells the mark of a file.
     */
    public SqliteOptions withMark(String other) {
        return new SqliteOptions(probe, maxBatch, maxBatchBytes, busyTimeout, maxFileBytes, random, secrets,
                fileSystemType, other);
    }
}
