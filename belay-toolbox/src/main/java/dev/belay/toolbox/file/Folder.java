package dev.belay.toolbox.file;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One open directory. Its entries are reached by a single name and never through a link. So it stays the directory that was
 * checked even if the path above it changes after the opening.
 *
 * <p>May be used by several threads; {@link #names} by one of them.
 */
sealed interface Folder extends AutoCloseable permits SecureFolder, CheckedFolder {

    /** The limit of entries read from one directory. */
    int MOST_NAMES = 200_000;

    /** Opens a directory in it; fails if the name is a link or no directory. */
    Folder enter(Path name) throws IOException;

    /** The attributes of a name; links are not followed. */
    BasicFileAttributes attributes(Path name) throws IOException;

    /** Opens a file in it for reading; fails if the name is a link. The caller has checked that it is a file. */
    SeekableByteChannel read(Path name) throws IOException;

    /** Creates a file that does not exist yet; a private one is readable only by its owner. */
    SeekableByteChannel create(Path name, boolean isPrivate) throws IOException;

    /** The permissions of a file, where the file system has them. */
    Optional<Set<PosixFilePermission>> permissions(Path name) throws IOException;

    /** Changes the permissions of a file. */
    void permit(Path name, Set<PosixFilePermission> permissions) throws IOException;

    /** Moves an entry to another open directory and replaces an entry of that name. */
    void move(Path name, Folder target, Path newName) throws IOException;

    /** Removes a file or a link, never the target of a link. */
    void delete(Path name) throws IOException;

    /** The names in it, unsorted, at most {@link #MOST_NAMES}; may be called once. */
    List<Path> names() throws IOException;

    @Override
    void close() throws IOException;
}
