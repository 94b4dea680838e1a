package dev.belay.cli.shell;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes files and directories that only their owner can open, where the file system knows users. Stateless. */
public final class OwnFiles {

    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";

    private OwnFiles() {}

    /**
     * Appends a text to a file, which is made if it is missing.
     *
     * @param more {@link LinkOption#NOFOLLOW_LINKS} refuses a link
     */
    public static void append(Path file, String text, OpenOption... more) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(more));
        options.add(StandardOpenOption.CREATE);
        options.add(StandardOpenOption.APPEND);
        try (SeekableByteChannel out = Files.newByteChannel(file, options, mode(file, FILE))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    /** Makes a directory with those above it, unless it exists. */
    public static void makeDirectory(Path directory) {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, mode(directory, DIRECTORY));
            }
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the directory " + directory + " cannot be made ("
                    + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); check its permissions and the room on the disk");
        }
    }

    /** Closes a directory that exists to other users: git makes directories that all can read. */
    public static void close(Path directory) throws IOException {
        if (knowsUsers(directory)) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(DIRECTORY));
        }
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        return knowsUsers(path)
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }

    private static boolean knowsUsers(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
