package dev.belay.benchmarks.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts commits in SQLite's write-ahead log, where the last frame of each commit is marked. Belay's code has no part in the
 * count.
 */
final class CommitLog {

    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;

    private final Path log;
    private final int before;

    /** Counts from now on. */
    CommitLog(Path database) throws IOException {
        log = database.resolveSibling(database.getFileName() + "-wal");
        before = all();
    }

    /** How many commits there were. */
    int commits() throws IOException {
        return all() - before;
    }

    private int all() throws IOException {
        if (Files.notExists(log) || Files.size(log) < HEADER) {
            return 0; // nothing was written since the file was opened
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log));
        if (bytes.getInt(12) != 0) {
            throw new IllegalStateException("the log has begun anew, and its older commits are gone");
        }
        long salts = bytes.getLong(16);
        int frame = FRAME_HEADER + bytes.getInt(8);
        int commits = 0;
        for (int at = HEADER; at + frame <= bytes.limit() && bytes.getLong(at + 8) == salts; at += frame) {
            if (bytes.getInt(at + 4) != 0) {
                commits++;
            }
        }
        return commits;
    }
}
