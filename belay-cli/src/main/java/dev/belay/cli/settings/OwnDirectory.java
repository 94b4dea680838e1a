package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.PrivateFiles;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * Whether the {@code .belay} of a workspace was made by commands of this user. One that came with a clone has a database with turns,
 * approvals and answers of its author, and links that logs would be written through. A random mark in the directory, known in the home
 * directory together with the place, tells the two apart.
 *
 * <p>Concurrency: a mark is known before it is put, and put before anything else is in the directory; so commands that begin at once find
 * a directory that is empty or known.
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
        if (!Files.isSymbolicLink(own) && !Files.isDirectory(own)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(own)) {
            boolean isUsed = entries.map(entry -> String.valueOf(entry.getFileName()))
                    .anyMatch(name -> !name.equals("tools") && !name.startsWith(MARK));
            return (isUsed || Files.isSymbolicLink(own)) && !isKnown();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private boolean isKnown() throws IOException {
        Path mark = workspace.own().resolve(MARK);
        return Files.isRegularFile(mark) && Files.size(mark) <= LONGEST_MARK
                && new TrustFile(shell).has(line(Files.readString(mark)));
    }

    /** Makes it, if needed, and marks it as made here. */
    void claim() {
        workspace.makeOwn();
        byte[] random = new byte[MARK_BYTES];
        new SecureRandom().nextBytes(random);
        String mark = HexFormat.of().formatHex(random);
        try {
            if (isKnown()) {
                return;
            }
            PrivateFiles.close(workspace.own());
            new TrustFile(shell).add(line(mark));
            Path made = workspace.own().resolve(MARK + "-" + mark);
            PrivateFiles.append(made, mark);
            Files.move(made, workspace.own().resolve(MARK), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private String line(String mark) throws IOException {
        return mark + " " + workspace.own().toRealPath();
    }

    private CommandProblem unreadable(IOException e) {
        return new CommandProblem(ExitCode.FAILED, "the directory " + workspace.own() + " cannot be used ("
                + e.getClass().getSimpleName() + ": " + e.getMessage()
                + "); check its permissions, let this user write there, and make room on the disk");
    }
}
