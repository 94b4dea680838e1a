package dev.belay.cli.talk;

import dev.belay.cli.shell.ControlEcho;
import dev.belay.cli.shell.TaskText;
import java.util.List;
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
final class RunVerb extends SessionVerb {

    @Parameters(arity = "0..*", paramLabel = "TASK", description = "What to do.")
    private List<String> task = List.of();

    @Option(names = "--json", description = "Print events as JSON, one per line, instead of the answer.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        String id = session();
        String text = TaskText.of(shell(), task);
        var interrupts = new Interrupts();
        try (LiveTalk talk = open(shell().person(interrupts), id, json)) {
            interrupts.during(talk);
            return ControlEcho.without(shell(), () -> talk.say(text));
        }
    }
}
