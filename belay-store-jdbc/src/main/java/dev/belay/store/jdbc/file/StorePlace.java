package dev.belay.store.jdbc.file;

import dev.belay.BelayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a journal may stand: a local directory that can be written. */
public final class StorePlace {

    /** File systems whose locks or shared memory do not hold between machines. */
    private static final Set<String> NETWORKED = Set.of("9p", "acfs", "afpfs", "afs", "beegfs", "ceph",
            "cifs",
            "coda", "davfs", "davfs2", "gfs", "gfs2", "glusterfs", "gpfs", "lustre", "mfs", "ncpfs", "ocfs2",
            "orangefs", "panfs", "pvfs2", "rclone", "s3fs", "sshfs", "vboxsf", "v9fs", "webdav");
    private static final Set<String> NETWORKED_FAMILIES = Set.of("nfs", "smb", "ceph", "gluster", "gcsfuse");

    private StorePlace() {}

    /** The one name of a file, however it was reached; refuses a place that cannot hold a journal. */
    public static Path check(Path file, Function<Path, String> fileSystemType) {
        Path absolute = file.toAbsolutePath();
        Path directory = absolute.getParent();
        Path name = absolute.getFileName();
        if (directory == null || name == null || Files.isDirectory(absolute)) {
            throw unusable(file + " is a directory; name a file in it, such as "
                    + absolute.resolve("belay.db"), null);
        }
        if (Files.isSymbolicLink(absolute) && !Files.exists(absolute)) {
            throw unusable(file + " is a link to a file that does not exist; name that file instead", null);
        }
        if (!Files.isDirectory(directory)) {
            throw unusable("the directory " + directory + " of " + name + " does not exist; create it first",
                    null);
        }
        checkWritable(absolute, directory);
        String type = fileSystemType.apply(directory);
        if (isNetworked(type)) {
            throw unusable(directory + " is on a network file system (" + type + "), whose locks cannot be"
                    + " relied on; use a local disk, or PostgreSQL to share a journal between machines",
                    null);
        }
        try {
            return Files.exists(absolute) ? absolute.toRealPath() : directory.toRealPath().resolve(name);
        } catch (IOException e) {
            throw unusable(file + " cannot be reached: " + e, e);
        }
    }

    private static void checkWritable(Path file, Path directory) {
        if (!Files.isWritable(directory)) {
            throw unusable("the directory " + directory
                    + " is read-only; a journal makes files beside its own, so let this user write there",
                    null);
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw unusable(file + " is read-only; let this user write it", null);
        }
    }

    static boolean isNetworked(String type) {
        String plain = type.toLowerCase(Locale.ROOT).replaceFirst("^fuse\\.", "");
        return NETWORKED.contains(plain) || NETWORKED_FAMILIES.stream().anyMatch(plain::startsWith);
    }

    /** What the machine says the file system is. */
    public static String fileSystemType(Path directory) {
        try {
            return Files.getFileStore(directory).type();
        } catch (IOException e) {
            throw unusable("the file system of " + directory + " cannot be found out: " + e, e);
        }
    }

    static BelayException unusable(String message, @Nullable Throwable cause) {
        return new BelayException("journal_unusable", message, cause);
    }
}
