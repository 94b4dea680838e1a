package dev.belay.store.jdbc.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes files that other users of the machine cannot open, where the file system knows users; elsewhere the directory decides. */
public final class PrivateFiles {

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final ReentrantLock MAKING = new ReentrantLock();
    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";
    private static final Set<PosixFilePermission> OF_OTHERS = Set
            .copyOf(PosixFilePermissions.fromString("---rwxrwx"));

    private PrivateFiles() {}

    /**
     * Makes an empty file of mode 0600, unless the file exists.
     *
     * <p>Concurrency: closing any descriptor of a file drops all locks that the process has on it. A file that exists is not opened here,
     * and no other thread can have locked a new one before it is closed, because that thread waits here first.
     */
    static void makeFile(Path file) throws IOException {
        MAKING.lock();
        try {
            Files.createFile(file, attributes(file));
        } catch (FileAlreadyExistsException e) {
            LOG.trace("{} exists", file);
        } finally {
            MAKING.unlock();
        }
    }

    /** Makes a directory of mode 0700, and parents that are missing, unless it exists. */
    static void makeDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, mode(directory, DIRECTORY));
    }

    /** The attributes of a new file that only its owner can open. */
    static FileAttribute<?>[] attributes(Path file) {
        return mode(file, FILE);
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        return knowsUsers(path)
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }

    /** Warns if users other than the owner can use a file or directory. */
    public static void warnIfShared(Path path) {
        try {
            if (isShared(path)) {
                LOG.warn("{} is open to other users of this machine ({}). Close it: chmod {} {}", path,
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
                        Files.isDirectory(path) ? "700" : "600", path);
            }
        } catch (IOException e) {
            LOG.debug("the permissions of {} cannot be read", path, e);
        }
    }

    /** Whether users other than the owner have any right to a file or directory that exists. */
    static boolean isShared(Path path) throws IOException {
        if (!knowsUsers(path)) {
            return false;
        }
        try {
            Set<PosixFilePermission> ofOthers = EnumSet.copyOf(OF_OTHERS);
            ofOthers.retainAll(Files.getPosixFilePermissions(path));
            return !ofOthers.isEmpty();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    static boolean knowsUsers(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
