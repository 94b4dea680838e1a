package dev.belay.store.jdbc.file;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.OwnerLostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the file of a store, its log and its index are still the ones that the store has open.
 *
 * <p>Durability: a file that was deleted, moved or replaced still takes writes through its open descriptor, and loses them for every
 * later reader. So a commit is answered only if the names still lead to the open files. A file system without numbers for files, as on
 * Windows, does not let go of open files.
 *
 * <p>Confined to the thread that writes, except {@link #isSameFile} and {@link #checkFile}.
 */
final class FileIdentity {

    private static final String MISSING = "missing";
    private static final String UNNUMBERED = "unnumbered";

    private final Path file;
    private final Object key;
    /** The files beside the database that the connection which writes has open. */
    private final Map<Path, Object> beside = new LinkedHashMap<>();

    private FileIdentity(Path file, Object key) {
        this.file = file;
        this.key = key;
    }

    static FileIdentity of(Path file) throws IOException {
        return new FileIdentity(file, key(file));
    }

    /** The number of the file that a name leads to. */
    private static Object key(Path file) throws IOException {
        try {
            return Objects.requireNonNullElse(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey(), UNNUMBERED);
        } catch (NoSuchFileException e) {
            return MISSING;
        }
    }

    /** Takes down the log and the index of a new connection. SQLite keeps both until its last connection is closed. */
    void connected() throws IOException {
        for (String suffix : new String[]{"-wal", "-shm"}) {
            Path other = file.resolveSibling(file.getFileName() + suffix);
            beside.put(other, key(other));
        }
    }

    /** Whether the name of the database leads to the file that was opened. */
    boolean isSameFile() {
        try {
            return key(file).equals(key);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checks all files.
     *
     * @throws OwnerLostException if one of them is another file than the open one
     */
    void check() {
        checkFile();
        beside.forEach(FileIdentity::check);
    }

    /** Checks the database alone. */
    void checkFile() {
        check(file, key);
    }

    private static void check(Path file, Object expected) {
        Object found;
        try {
            found = key(file);
        } catch (IOException e) {
            throw lost(file + " cannot be reached while it is open (" + e + ")", e);
        }
        if (!found.equals(expected)) {
            throw lost(found.equals(MISSING)
                    ? file + " was deleted or moved while it was open"
                    : "another file has taken the place of " + file + " while it was open", null);
        }
    }

    private static OwnerLostException lost(String what, @Nullable Exception cause) {
        return new OwnerLostException(new JournalException(what + ", and its last writes may be lost. Stop"
                + " the program, put the right file back or restore a backup, and open the store again",
                cause));
    }
}
