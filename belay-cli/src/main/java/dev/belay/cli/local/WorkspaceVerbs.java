package dev.belay.cli.local;

import dev.belay.cli.settings.ProjectText;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.Verb;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands that set a workspace up. */
final class WorkspaceVerbs {

    private static final String FIRST_SETTINGS = """
            # Settings of belay in this directory; 'belay doctor' checks them.

            [model]
            # Without these lines: OPENAI_API_KEY or ANTHROPIC_API_KEY, else a local server (Ollama, LM Studio, llama.cpp).
            # name = "qwen3:8b"
            # base_url = "http://127.0.0.1:11434/v1"
            # tool_calls = "native"    # "text" for models that cannot call tools, "probe" to find out

            [agent]
            # instructions = "You work on this project. Be brief."
            # max_rounds = 50

            [tools]
            # groups = ["notes", "write_files", "commands"]    # also basics, read_files, http, project (.belay/tools)
            # only_commands = ["git", "ls"]    # without a shell; every command asks, unless a rule allows it
            """;

    private WorkspaceVerbs() {}

    @Command(name = "init", header = "Make a belay.toml in this directory.")
    static final class Init extends Verb {

        @Override
        public Integer call() throws IOException {
            Path file = shell().directory().resolve(AgentWorkspace.SETTINGS);
            try {
                Files.writeString(file, FIRST_SETTINGS, StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException there) {
                throw CommandProblem
                        .notPossible("there is a " + file + " already; edit it, or remove it first");
            }
            shell().out().line("made " + file);
            return ExitCode.DONE;
        }
    }

    @Command(name = "trust", header = "Trust the settings of a workspace as they are now.", description = {"",
        "Settings that choose a server, use a key, start processes, fetch pages, instruct the model or let calls run count only if a"
                + " person trusts them. A change of belay.toml, of .belay/tools or of a file that they name asks again, and so do"
                + " rules that are looser than at the last use. AGENTS.md and CLAUDE.md are trusted too: their text is told to the"
                + " model. What is trusted is kept in the home directory, not in the"
                + " workspace."})
    static final class Give extends Verb {

        @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
            "Default: the nearest directory upwards with a belay.toml or a .belay."})
        private @Nullable Path workspace;

        @Override
        public Integer call() {
            AgentWorkspace found = AgentWorkspace.of(shell(), workspace);
            Settings settings = Settings.of(shell(), found); // settings that cannot be read cannot be trusted
            var trust = new Trust(shell(), found);
            trust.tell(settings);
            new ProjectText(shell(), found).trust();
            boolean before = trust.isTrusted(settings);
            if (!before) {
                trust.give(settings);
            }
            shell().out().line("trusted " + found.root() + (before ? " (it was so before)" : ""));
            return ExitCode.DONE;
        }
    }
}
