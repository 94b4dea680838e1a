package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a person has trusted, one line each, in the home directory. A line has its kind, a hash or a mark, and the place as a JSON text, so that
 * no place can be read as another line.
 *
 * @param shell whose home
 */
record TrustFile(Shell shell) {

    /** What is trusted. */
    enum Kind {
        /** The settings of a workspace and the files that they name, by their hash. */
        SETTINGS,
        /** A directory of a workspace for what commands keep, by its mark. */
        OWN,
        /** A file that the settings of a workspace name as the store, by its mark. */
        STORE,
        /** What a workspace tells its agents, by its hash. */
        TEXT,
        /** The same that a person has refused. */
        REFUSED_TEXT
    }

    /** The line of something in a place. */
    static String line(Kind kind, String value, Path place) {
        return kind + " " + Json.string(value).compact() + " " + Json.string(place.toString()).compact();
    }

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
        return absolute("XDG_STATE_HOME")
                .or(() -> absolute("HOME").map(home -> home.resolve(".local/state")));
    }

    /** A relative path would lie in the workspace, whose author could write what is trusted. */
    Optional<Path> absolute(String variable) {
        Optional<Path> path = shell.variable(variable).map(Path::of);
        path.filter(found -> !found.isAbsolute())
                .ifPresent(found -> shell.err()
                        .lineOnce("belay: " + variable + "=" + found
                                + " is ignored, because it is no absolute path"));
        return path.filter(Path::isAbsolute);
    }

    Path directory() {
        return state()
                .orElseThrow(() -> CommandProblem.notPossible(
                        "trust is kept in the home directory, and HOME is not set; set HOME or"
                                + " XDG_STATE_HOME to an absolute path"))
                .resolve("belay");
    }
}
