package dev.belay.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The directory that an agent works in: the nearest one, from the working directory up, that has a {@code belay.toml} or a
 * {@code .belay}; the working directory if none has.
 *
 * @param root the directory
 */
public record AgentWorkspace(Path root) {

    /** The file of settings. */
    public static final String SETTINGS = "belay.toml";
    private static final String OWN = ".belay";

    /**
     * The workspace of a command.
     *
     * @param named by the user, or null to look for it
     */
    public static AgentWorkspace of(Shell shell, @Nullable Path named) {
        if (named != null) {
            Path root = shell.directory().resolve(named).normalize();
            if (!Files.isDirectory(root)) {
                throw CommandProblem.notFound("there is no directory " + root + "; name one that exists");
            }
            return new AgentWorkspace(root);
        }
        for (Path directory = shell.directory(); directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve(SETTINGS)) || Files.isDirectory(directory.resolve(OWN))) {
                return new AgentWorkspace(directory);
            }
        }
        return new AgentWorkspace(shell.directory());
    }

    /** The file of settings, whether it exists or not. */
    public Path settings() {
        return root.resolve(SETTINGS);
    }

    /** Where the database, notes, logs and the project's tools are. */
    public Path own() {
        return root.resolve(OWN);
    }

    /** The database. */
    public Path database() {
        return own().resolve("belay.db");
    }

    /** Makes the directory {@code .belay}, for the owner only. */
    public void makeOwn() {
        makePrivate(own());
    }

    /** Makes a directory for the owner only, with those above it. */
    public static void makePrivate(Path directory) {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode = posix
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0];
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, mode);
            }
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the directory " + directory + " cannot be made ("
                    + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); check its permissions and the room on the disk");
        }
    }
}
