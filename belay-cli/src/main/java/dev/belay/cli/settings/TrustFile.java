package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a person has trusted, one line each, in the home directory.
 *
 * @param shell whose home
 */
record TrustFile(Shell shell) {

    /** Whether a line is there. */
    boolean has(String line) {
        try {
            return Files.exists(file()) && Files.readAllLines(file()).contains(line);
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Adds a line. */
    void add(String line) {
        OwnFiles.makeDirectory(directory());
        try {
            OwnFiles.append(file(), line + "\n");
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED,
                    "the file " + file() + " cannot be written (" + e.getMessage()
                            + "); check its permissions and the room on the disk");
        }
    }

    private Path file() {
        return directory().resolve("trusted");
    }

    /** A file beside it about a workspace. */
    Path about(AgentWorkspace workspace, String prefix) {
        try {
            byte[] name = workspace.root().toRealPath().toString().getBytes(StandardCharsets.UTF_8);
            String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(name));
            return directory().resolve(prefix + hash.substring(0, 16) + ".json");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the workspace cannot be read (" + e.getMessage()
                    + "); check the permissions of " + workspace.root());
        }
    }

    /** Whether there is a place for it. */
    boolean hasPlace() {
        return state().isPresent();
    }

    private Optional<Path> state() {
        return shell.variable("XDG_STATE_HOME")
                .map(Path::of)
                .or(() -> shell.variable("HOME").map(home -> Path.of(home, ".local", "state")));
    }

    Path directory() {
        return state()
                .orElseThrow(() -> CommandProblem.notPossible(
                        "trust is kept in the home directory, and HOME is not set; set HOME or XDG_STATE_HOME"))
                .resolve("belay");
    }
}
