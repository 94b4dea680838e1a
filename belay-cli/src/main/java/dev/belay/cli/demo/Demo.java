package dev.belay.cli.demo;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.verb.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay demo}. */
@Command(name = "demo", header = "Show what Belay does, without a model and without a key.", description = {
    "",
    "A scripted model orders two ropes. The tools, the database and the processes are real: one is killed while a"
            + " question waits, another in the middle of a payment. You answer the question. At the end stands what ran"
            + " how often, and where the database is. It takes less than a minute."})
final class Demo extends Verb {

    @Option(names = {"-y", "--yes"}, description = "Answer the question with yes; needed without a terminal.")
    private boolean yes;

    @Option(names = "--directory", paramLabel = "DIR", description = {
        "Where the files of the demo are made; it must be empty.",
        "Default: a new directory among the temporary files."})
    private @Nullable Path directory;

    @Override
    public Integer call() throws Exception {
        if (!yes && !shell().canAsk()) {
            throw CommandProblem.notPossible(
                    "the demo asks a question, and there is no terminal to ask it on; say the answer with --yes");
        }
        return new Story(shell(), home(), yes).tell();
    }

    private Path home() throws IOException {
        if (directory == null) {
            return Files.createTempDirectory("belay-demo-");
        }
        Path home = shell().directory().resolve(directory).normalize();
        if (Files.isDirectory(home)) {
            try (var files = Files.list(home)) {
                if (files.findAny().isPresent()) {
                    throw CommandProblem.notPossible("the directory " + home
                            + " is not empty; name another one, or none");
                }
            }
        }
        OwnFiles.makeDirectory(home);
        return home;
    }
}
