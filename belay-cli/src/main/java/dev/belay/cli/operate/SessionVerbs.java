package dev.belay.cli.operate;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.SessionTitle;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.cli.verb.Verb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.Session;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay sessions}. */
@Command(name = "sessions", header = "List, show, fork, delete, export and import sessions.", subcommands = {
    SessionVerbs.Ls.class, SessionShow.class, SessionVerbs.Fork.class, SessionVerbs.Rm.class,
    SessionVerbs.Export.class,
    SessionVerbs.Import.class, SessionVerbs.Close.class, SessionVerbs.Open.class})
final class SessionVerbs extends Verb {

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay sessions ls', or 'belay sessions --help'");
    }

    @Command(name = "ls", header = "List sessions, in the order of their names.")
    static final class Ls extends StoreVerb {

        @Option(names = "--agent", paramLabel = "NAME", description = "Only those of an agent.")
        private @Nullable String agent;

        @Option(names = "--state", paramLabel = "STATE", description = "Only those in a state: ${COMPLETION-CANDIDATES}.")
        private SessionEntry.@Nullable State state;

        @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Only those with a label.")
        private Map<String, String> labels = Map.of();

        @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "At most so many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Parameters(arity = "0..1", paramLabel = "PREFIX", defaultValue = "", description = "Only those whose names begin so.")
        private String prefix = "";

        @Override
        protected int with(BelayClient client) {
            SessionFilter filter = filter();
            var table = new TextTable("SESSION", "STATE", "WAITS FOR", "TURNS", "AGENT", "CHANGED", "TITLE");
            Instant now = Instant.now();
            for (SessionEntry entry : Pages.all(after -> client.sessions(filter, after, Math.max(1, limit)),
                    Math.max(1, limit))) {
                if (isJson()) {
                    print(out -> SessionForms.write(out, entry));
                } else {
                    table.row(entry.head().id(), SessionForms.word(entry.state()), SessionForms.waits(entry),
                            entry.head().revision(), entry.head().profile().agent(),
                            Times.age(entry.head().changedAt(), now) + " ago",
                            SessionTitle.of(client.session(entry.head().id().value())));
                }
            }
            if (!isJson()) {
                table.print(shell(), "no sessions");
            }
            return ExitCode.DONE;
        }

        private SessionFilter filter() {
            SessionFilter filter = SessionFilter.ALL.prefix(prefix);
            for (Map.Entry<String, String> label : labels.entrySet()) {
                filter = filter.label(label.getKey(), label.getValue());
            }
            if (state != null) {
                filter = filter.state(state);
            }
            return agent == null ? filter : filter.agent(agent);
        }
    }

    @Command(name = "fork", header = "Make a session with the same past, which goes its own way.", description = {
        "",
        "The fork has the turns up to --turn and none of their waits, doubts and grants. Calls with effects that"
                + " happened after that turn have happened: the fork does not undo them."})
    static final class Fork extends StoreVerb {

        @Parameters(index = "0", paramLabel = "SESSION", description = "Whose past.")
        private String session = "";

        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the new session.")
        private String name = "";

        @Option(names = "--turn", paramLabel = "N", description = "Up to this turn. Default: the last one.")
        private @Nullable Long turn;

        @Override
        protected int with(BelayClient client) {
            Session origin = existing(client, session);
            if (turn == null) {
                origin.fork(name);
            } else {
                origin.fork(name, turn);
            }
            return tell(VerbResult.DONE, "forked " + session + " as " + name);
        }
    }

    @Command(name = "rm", header = "Delete a session with everything in it.", description = {"",
        "Its keys are unknown for good. Calls in doubt keep it, unless --force is given: their doubts stay listed."})
    static final class Rm extends StoreVerb {

        @Parameters(paramLabel = "SESSION", description = "Which.")
        private String session = "";

        @Option(names = "--force", description = "Even if calls of it may have happened.")
        private boolean force;

        @Override
        protected int with(BelayClient client) {
            Session found = existing(client, session);
            return tell(force ? found.deleteEvenInDoubt() : found.delete(), "deleted " + session);
        }
    }

    @Command(name = "export", header = "Write a session as lines of JSON.")
    static final class Export extends StoreVerb {

        @Parameters(index = "0", paramLabel = "SESSION", description = "Which.")
        private String session = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "Where to. Default: standard output.")
        private @Nullable Path file;

        @Override
        protected int with(BelayClient client) throws IOException {
            Session found = existing(client, session);
            if (file == null) {
                var text = new StringBuilder();
                found.export(text);
                shell().out().print(text.toString());
            } else {
                try (BufferedWriter out = Files.newBufferedWriter(shell().directory().resolve(file))) {
                    found.export(out);
                }
                shell().err().line("wrote " + session + " to " + file);
            }
            return ExitCode.DONE;
        }
    }

    @Command(name = "import", header = "Read an exported session under a name of its own.")
    static final class Import extends StoreVerb {

        @Parameters(index = "0", paramLabel = "FILE", description = "What 'export' has written; - for standard input.")
        private String file = "";

        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the session.")
        private String name = "";

        @Override
        protected int with(BelayClient client) throws IOException {
            try (Reader lines = file.equals("-")
                    ? new InputStreamReader(shell().in(), StandardCharsets.UTF_8)
                    : Files.newBufferedReader(shell().directory().resolve(file))) {
                client.importSession(lines, name);
            } catch (NoSuchFileException missing) {
                throw CommandProblem.notFound("there is no file " + file);
            }
            List<String> missing = client.session(name).missingAbove();
            if (!missing.isEmpty()) {
                shell().err()
                        .line("the policies of " + String.join(", ", missing)
                                + " decide about its calls, and this"
                                + " store has no such sessions: its calls are denied until you import them too");
            }
            return tell(VerbResult.DONE, "imported " + name);
        }
    }

    @Command(name = "close", header = "Let a session take no more inputs.")
    static final class Close extends StoreVerb {

        @Parameters(paramLabel = "SESSION", description = "Which.")
        private String session = "";

        @Override
        protected int with(BelayClient client) {
            return tell(existing(client, session).close(), "closed " + session);
        }
    }

    @Command(name = "open", header = "Let a closed session take inputs again.")
    static final class Open extends StoreVerb {

        @Parameters(paramLabel = "SESSION", description = "Which.")
        private String session = "";

        @Override
        protected int with(BelayClient client) {
            return tell(existing(client, session).open(), "opened " + session);
        }
    }
}
