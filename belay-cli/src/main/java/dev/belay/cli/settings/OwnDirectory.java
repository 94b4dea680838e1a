package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.toolbox.file.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the {@code .belay} of a workspace was made by commands of this user. One that came with a clone has a database with turns,
 * approvals and answers of its author, and links that logs would be written through. A random mark in the directory and in its database,
 * known in the home directory together with the place, tells the two apart; one behind a link is never known.
 *
 * <p>Concurrency: a mark is known before it is put, and put before anything else is in the directory; so commands that begin at once find
 * a directory that is empty or known. Their marks may differ: each that is known in this place counts.
 *
 * @param shell whose home
 * @param workspace which
 */
record OwnDirectory(Shell shell, AgentWorkspace workspace) {

    private static final String MARK = "mark";
    private static final int MARK_BYTES = 16;
    private static final int LONGEST_MARK = 100;

    /** Whether it has something that no command of this user has put there; the project's tools are a matter of the settings. */
    boolean isForeign() {
        Path own = workspace.own();
        if (Files.isSymbolicLink(own)) {
            return true;
        }
        if (!Files.isDirectory(own)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(own)) {
            boolean isUsed = FileOwner.stranger(own).isPresent() || entries
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .anyMatch(name -> !name.equals("tools") && !name.startsWith(MARK));
            return isUsed && (known().isEmpty() || isDatabaseForeign());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The mark in the directory, if it is known. */
    private Optional<String> known() throws IOException {
        Path mark = workspace.own().resolve(MARK);
        if (!Files.isRegularFile(mark) || Files.size(mark) > LONGEST_MARK) {
            return Optional.empty();
        }
        String text = Files.readString(mark);
        return isKnown(text) ? Optional.of(text) : Optional.empty();
    }

    private boolean isKnown(String mark) throws IOException {
        return !mark.isEmpty() && new TrustFile(shell).has(line(mark));
    }

    /** Whether a pull has brought a database into a directory that had none, or no longer has it. */
    private boolean isDatabaseForeign() throws IOException {
        if (Files.isSymbolicLink(workspace.database())) {
            return true;
        }
        Optional<String> mark = databaseMark();
        return mark.isPresent() && !isKnown(mark.get());
    }

    private Optional<String> databaseMark() {
        return Files.exists(workspace.database()) ? JdbcStore.mark(workspace.database()) : Optional.empty();
    }

    /**
     * What a database here is opened with: its mark, or the one for a new database; empty if the directory is not known, as without a home.
     * Commands that look need none.
     */
    String mark() {
        if (!new TrustFile(shell).hasPlace()) {
            return "";
        }
        try {
            Optional<String> kept = known();
            return kept.isEmpty() || isForeign()
                    ? ""
                    : databaseMark().or(() -> kept).orElse("");
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Makes it, if needed, and marks it and its database as made here. A link stays foreign. */
    void claim() {
        if (Files.isSymbolicLink(workspace.own())) {
            return;
        }
        workspace.makeOwn();
        String mark = newMark();
        try {
            if (known().isPresent() && !isDatabaseForeign()) {
                return;
            }
            OwnFiles.close(workspace.own());
            new TrustFile(shell).add(line(mark));
            if (databaseMark().isPresent() && !Files.isSymbolicLink(workspace.database())) {
                JdbcStore.mark(workspace.database(), mark);
            }
            Path made = workspace.own().resolve(MARK + "-" + mark);
            OwnFiles.append(made, mark);
            Files.move(made, workspace.own().resolve(MARK), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    static String newMark() {
        byte[] random = new byte[MARK_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private String line(String mark) throws IOException {
        return TrustFile.line(TrustFile.Kind.OWN, mark, workspace.own().toRealPath());
    }

    private CommandProblem unreadable(IOException e) {
        return new CommandProblem(ExitCode.FAILED, "the directory " + workspace.own() + " cannot be used ("
                + e.getClass().getSimpleName() + ": " + e.getMessage()
                + "); check its permissions, let this user write there, and make room on the disk");
    }
}
