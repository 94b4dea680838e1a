package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TaskText;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code belay chat}. */
@Command(name = "chat", header = "Talk with an agent, message by message.", description = {"",
    "Needs a terminal. A line that ends in a backslash goes on in the next one; @FILE stands for the text of a file; Tab"
            + " completes files and commands; the arrows bring earlier messages back.",
    "",
    "Ctrl-C cancels the turn and keeps the session; a second one leaves. Ctrl-D leaves: a call that asks then goes on"
            + " waiting, and 'belay resume' asks again. /help lists what else can be typed."})
final class ChatVerb extends SessionVerb {

    private static final String HELP = """
            /exit      leaves; so does Ctrl-D
            /help      prints this
            /session   prints the session, for 'belay sessions show' and 'belay chat -s'
            @FILE      stands for the text of a file
            \\          at the end of a line: the message goes on in the next
            """;

    @Override
    public Integer call() throws Exception {
        if (!shell().canAsk()) {
            throw CommandProblem.notPossible("chat needs a terminal; 'belay run' takes a task from a pipe");
        }
        String id = session();
        var interrupts = new Interrupts();
        try (var editor = new Editor(shell(), new ChatCompleter(shell().directory()), interrupts)) {
            interrupts.of(open(editor, id, false)); // what is wrong is told before the first message
            editor.remember(workspace().own().resolve("chat-history"));
            editor.interrupts(interrupts::getAsBoolean);
            shell().err().line("Session " + id + ". /help lists what can be typed; Ctrl-D leaves.");
            return converse(editor, interrupts, id);
        } finally {
            close(interrupts);
        }
    }

    private static void close(Interrupts interrupts) {
        LiveTalk talk = interrupts.talk();
        interrupts.of(null);
        if (talk != null) {
            talk.close();
        }
    }

    /**
     * Serves the session for one turn: between messages another command may, under its own rules. A message that cannot be given, as its
     * file cannot be read or another command uses the session, does not end the chat.
     */
    private int say(Editor editor, Interrupts interrupts, String id, String text)
            throws IOException, InterruptedException {
        try {
            String whole = TaskText.withFiles(shell(), text);
            LiveTalk opened = interrupts.talk();
            LiveTalk talk = opened == null ? open(editor, id, false) : opened;
            interrupts.of(talk);
            return talk.say(whole);
        } catch (CommandProblem problem) {
            shell().err().remark("belay: " + problem.getMessage());
            return problem.exitCode();
        } finally {
            close(interrupts);
        }
    }

    private int converse(Editor editor, Interrupts interrupts, String id)
            throws IOException, InterruptedException {
        boolean leaves = false;
        while (true) {
            switch (editor.message("> ")) {
                case Editor.Typed.End end -> {
                    return ExitCode.DONE;
                }
                case Editor.Typed.Interrupt(boolean isEmpty) -> {
                    if (leaves && isEmpty) {
                        return ExitCode.INTERRUPTED;
                    }
                    leaves = isEmpty;
                    if (isEmpty) {
                        shell().err().line("Ctrl-C once more, or Ctrl-D, leaves; the session is kept.");
                    }
                }
                case Editor.Typed.Line(String text) -> {
                    leaves = false;
                    switch (text.strip()) {
                        case "" -> {
                        }
                        case "/exit" -> {
                            return ExitCode.DONE;
                        }
                        case "/help" -> shell().err().print(HELP);
                        case "/session" -> shell().out().line(id);
                        default -> {
                            if (say(editor, interrupts, id, text.strip()) == ExitCode.WAITING) {
                                return ExitCode.WAITING;
                            }
                        }
                    }
                }
            }
        }
    }
}
