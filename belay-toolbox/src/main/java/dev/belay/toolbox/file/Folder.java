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
 * One open directory. Everything in it is reached by a single name and never through a link, so that whatever happens to the
 * path above after it was opened, the directory stays the one that was checked.
 *
 * <p>May be used by several threads; {@link #names} by one of them.
 */
sealed interface Folder extends AutoCloseable permits SecureFolder, CheckedFolder {

    /** At most so many entries of one directory are looked at; a directory with more is no place to search by model. */
    int MOST_NAMES = 200_000;

    /** Opens a directory in it; fails if the name is a link or no directory. */
    Folder enter(Path name) throws IOException;

    /** What the name itself is; a link is a link. */
    BasicFileAttributes attributes(Path name) throws IOException;

    /** Opens a file in it for reading; fails if the name is a link. Whether it is a file is for the caller to ask first. */
    SeekableByteChannel read(Path name) throws IOException;

    /** Creates a file that is not there yet; readable by nobody else if it is to be private. */
    SeekableByteChannel create(Path name, boolean isPrivate) throws IOException;

    /** The permissions of a file, where the file system has them. */
    Optional<Set<PosixFilePermission>> permissions(Path name) throws IOException;

    /** Changes the permissions of a file. */
    void permit(Path name, Set<PosixFilePermission> permissions) throws IOException;

    /** Moves an entry to another open directory, in place of what is there. */
    void move(Path name, Folder target, Path newName) throws IOException;

    /** Removes a file or a link, never what it leads to. */
    void delete(Path name) throws IOException;

    /** The names in it, unsorted, at most {@link #MOST_NAMES}; may be asked once. */
    List<Path> names() throws IOException;

    @Override
    void close() throws IOException;
}
