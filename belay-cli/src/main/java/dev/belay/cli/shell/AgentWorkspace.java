package dev.belay.cli.shell;

import java.nio.file.Files;
import java.nio.file.Path;
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
        PrivateFiles.makeDirectory(own());
    }
}
