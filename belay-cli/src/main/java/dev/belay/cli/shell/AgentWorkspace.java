package dev.belay.cli.shell;

import dev.belay.toolbox.file.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directory that an agent works in: the nearest one, from the working directory up to the home directory, that has a
 * {@code belay.toml} or a {@code .belay}; the working directory if none has. One of another user is used only if it is named.
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
     * @throws CommandProblem if another user decides what is in the one that was found
     */
    public static AgentWorkspace of(Shell shell, @Nullable Path named) {
        if (named != null) {
            Path root = shell.directory().resolve(named).normalize();
            if (!Files.isDirectory(root)) {
                throw CommandProblem.notFound("there is no directory " + root + "; name one that exists");
            }
            return new AgentWorkspace(root);
        }
        var found = new AgentWorkspace(nearest(shell));
        try {
            found.requireOwn();
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the workspace " + found.root + " cannot be looked at (" + e
                            + "); check its permissions");
        }
        return found;
    }

    private static Path nearest(Shell shell) {
        Path home = shell.variable("HOME").map(Path::of).orElse(null);
        for (Path directory = shell.directory(); directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve(SETTINGS)) || Files.isDirectory(directory.resolve(OWN))) {
                return directory;
            }
            if (isSame(directory, home)) {
                break;
            }
        }
        return shell.directory();
    }

    private static boolean isSame(Path directory, @Nullable Path home) {
        try {
            return home != null && Files.isSameFile(directory, home);
        } catch (IOException missing) {
            return false;
        }
    }

    /** The owner of any of these decides what the agent is told and may do. */
    private void requireOwn() throws IOException {
        for (Path path : List.of(root, settings(), own())) {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            Optional<String> stranger = FileOwner.stranger(path, LinkOption.NOFOLLOW_LINKS);
            if (stranger.isEmpty() && Files.exists(path)) {
                stranger = FileOwner.stranger(path);
            }
            if (stranger.isPresent()) {
                throw CommandProblem.notPossible(path + " belongs to the user " + stranger.get()
                        + ", and a workspace of another user is not used unless it is named: -C " + root
                        + " uses it, -C DIR another one");
            }
        }
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
        OwnFiles.makeDirectory(own());
    }
}
