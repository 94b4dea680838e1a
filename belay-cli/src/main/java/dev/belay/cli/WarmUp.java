package dev.belay.cli;

import dev.belay.cli.screen.LiveMarkdown;
import dev.belay.cli.screen.Theme;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.runtime.Belay;
import dev.belay.schema.ShownLines;
import dev.belay.store.jdbc.JdbcStore;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Loads the classes that usual commands need: the launcher runs it once after a build and archives what it has loaded, so that
 * commands start faster. Its argument is an empty directory.
 */
public final class WarmUp {

    private WarmUp() {}

    /** Runs some commands in a directory and prints nothing. */
    public static void main(String[] args) {
        Path directory = Path.of(args[0]);
        Belay.builder().store(JdbcStore.sqlite(directory.resolve("belay.db"))).build().close();
        new LiveMarkdown(Theme.DARK, () -> ShownLines.USUAL_WIDTH).add("# A\n\n- *b* `c`\n\n");
        var shell = new Shell(InputStream.nullInputStream(), Output.answer(OutputStream.nullOutputStream()),
                Output.remarks(OutputStream.nullOutputStream()),
                Map.of("BELAY_STORE", directory.resolve("belay.db").toString()), directory, Set.of(),
                (same, cancel) -> Person.NONE);
        for (List<String> command : List.of(List.of("--version"), List.of("--help"), List.of("ps"),
                List.of("sessions", "ls"), List.of("pending", "--json"), List.of("tools", "ls"))) {
            Main.run(shell, command.toArray(String[]::new));
        }
    }
}
