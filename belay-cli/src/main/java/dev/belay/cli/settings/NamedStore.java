package dev.belay.cli.settings;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Shell;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether the file that {@code [store]} of a workspace names is the one that commands of this user have made, or that a person has trusted.
 * A pull may put another file in its place. A random mark in the file, known in the home directory together with the place, tells the two
 * apart; one behind a link is never known.
 *
 * <p>Concurrency: a mark is known before it is put. Commands that make the file at once make several marks, all known; one of them is put.
 *
 * @param shell whose home
 * @param database the file
 */
record NamedStore(Shell shell, Path database) {

    /** Whether it is there, and no command of this user has put it there. */
    boolean isForeign() {
        return Files.isSymbolicLink(database) || mark().filter(mark -> !isKnown(mark)).isPresent();
    }

    /** Its mark, the empty text if it has none; nothing if there is no database. */
    private Optional<String> mark() {
        return Files.exists(database) ? JdbcStore.mark(database) : Optional.empty();
    }

    private boolean isKnown(String mark) {
        return !mark.isEmpty() && new TrustFile(shell).has(line(mark));
    }

    /** What it is opened with. */
    String opened() {
        return mark().orElseGet(this::newMark);
    }

    /** Marks it as the one that a person has trusted. */
    void claim() {
        if (!Files.isSymbolicLink(database) && mark().isPresent()) {
            JdbcStore.mark(database, newMark());
        }
    }

    private String newMark() {
        String mark = OwnDirectory.newMark();
        new TrustFile(shell).add(line(mark));
        return mark;
    }

    private String line(String mark) {
        Path file = database.toAbsolutePath();
        try {
            return TrustFile.line(TrustFile.Kind.STORE, mark,
                    file.resolveSibling("").toRealPath().resolve(file.getFileName()));
        } catch (IOException e) {
            throw new CommandProblem(ExitCode.FAILED, "the directory of the store " + database
                    + " cannot be used (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); make it, and check its permissions");
        }
    }
}
