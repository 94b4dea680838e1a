package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay run}. */
@Command(name = "run", header = "Give an agent a task, and print its answer.", description = {"",
    "The answer goes to standard output; calls, questions and a summary go to standard error. @FILE in a task stands for"
            + " the text of a file, - for standard input.",
    "",
    "The turn is recorded while it runs: after a crash 'belay resume' goes on with it.",
    "",
    "Ctrl-C cancels the turn and keeps the session; a second one leaves at once."})
final class RunVerb extends TalkVerb {

    @Parameters(arity = "0..*", paramLabel = "TASK", description = "What to do.")
    private List<String> task = List.of();

    @Option(names = {"-c", "--continue"}, description = "In the session that was used last.")
    private boolean goesOn;

    @Option(names = {"-s",
        "--session"}, paramLabel = "ID", description = "In this session; it is made if there is none.")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "By this agent of belay.toml.")
    private @Nullable String agent;

    @Option(names = "--json", description = "Print events as JSON, one per line, instead of the answer.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (goesOn && session != null) {
            throw CommandProblem.usage("--continue and --session exclude each other");
        }
        String text = TaskText.of(shell(), task);
        String id = goesOn ? lastSession() : session != null ? session : newSession();
        requireIdle(id);
        Person person = shell().canAsk() ? new Keyboard(shell()) : Person.NONE;
        try (LiveTalk talk = open(person, id, agent, json)) {
            Interrupts.during(talk::cancel);
            return talk.say(text);
        }
    }
}
