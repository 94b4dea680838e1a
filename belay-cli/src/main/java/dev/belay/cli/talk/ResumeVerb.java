package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay resume}. */
@Command(name = "resume", header = "Go on with turns that a crash, a question or a wait has left.", description = {
    "",
    "Calls are decided by the --approve of this command, not by that of the command that began the turn."})
final class ResumeVerb extends TalkVerb {

    private static final int PAGE = 500;

    @Parameters(arity = "0..1", paramLabel = "SESSION", description = "Which.")
    private @Nullable String session;

    @Option(names = "--all", description = "All sessions with an active turn, one after another.")
    private boolean all;

    @Option(names = "--json", description = "Print events as JSON, one per line, instead of the answer.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (all == (session != null)) {
            throw CommandProblem.usage("name a session, or say --all");
        }
        if (!Files.exists(database())) {
            throw CommandProblem.notFound("there is no database " + database());
        }
        int worst = ExitCode.DONE;
        for (String id : sessions()) {
            Person person = shell().canAsk() ? new Keyboard(shell()) : Person.NONE;
            try (LiveTalk talk = open(person, id, null, json)) {
                Interrupts.during(talk::cancel);
                worst = Math.max(worst, talk.goOn());
            }
        }
        return worst;
    }

    private List<String> sessions() {
        List<String> found = new ArrayList<>();
        try (BelayClient client = Belay.client(JdbcStore.existing(database()))) {
            if (session != null) {
                Long active = client.session(session)
                        .head()
                        .orElseThrow(() -> CommandProblem.notFound("there is no session \"" + session + "\""))
                        .active();
                if (active == null) {
                    shell().err().line("session " + session + " has no active turn");
                    return List.of();
                }
                return List.of(session);
            }
            for (SessionEntry entry : client.sessions(null, PAGE).items()) {
                if (entry.head().active() != null) {
                    found.add(entry.head().id().value());
                }
            }
        }
        if (found.isEmpty()) {
            shell().err().line("no session has an active turn");
        }
        return found;
    }
}
