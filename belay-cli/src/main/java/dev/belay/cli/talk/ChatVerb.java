package dev.belay.cli.talk;

import dev.belay.BelayException;
import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TaskText;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.session.Session;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** {@code belay chat}. */
@Command(name = "chat", header = "Talk with an agent, message by message.", description = {"",
    "Needs a terminal. Alt-Enter, or a backslash at the end of a line, goes on in the next line; @FILE stands for the text of a"
            + " file; / lists commands; Tab completes files and commands; the arrows bring earlier messages back.",
    "",
    "Ctrl-C cancels the turn and keeps the session; a second one leaves. Ctrl-D leaves: a call that asks then goes on"
            + " waiting, and 'belay resume' asks again. --continue lets you choose one of the last sessions."})
final class ChatVerb extends SessionVerb {

    private static final int LONGEST_WORD = 60;
    private static final String KEYS = """
            @FILE              stands for the text of a file
            Alt-Enter          begins another line, as \\ at the end of a line does
            """;

    /** The session, which commands may change. */
    private String id = "";
    private String status = "";

    @Override
    public Integer call() throws Exception {
        if (!shell().canAsk()) {
            throw CommandProblem.notPossible("chat needs a terminal; 'belay run' takes a task from a pipe");
        }
        var interrupts = new Interrupts();
        try (var editor = new Editor(shell(), new ChatCompleter(shell().directory()), interrupts)) {
            id = session(editor);
            LiveTalk talk = open(editor, id, false); // what is wrong is told before the first message
            interrupts.of(talk);
            status = talk.status();
            editor.remember(workspace().own().resolve("chat-history"));
            editor.interrupts(interrupts::getAsBoolean);
            shell().err().line("Session " + id + ". /help lists what can be typed; Ctrl-D leaves.");
            return converse(editor, interrupts);
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
    private int say(Editor editor, Interrupts interrupts, String text)
            throws IOException, InterruptedException {
        try {
            String whole = TaskText.withFiles(shell(), text);
            LiveTalk opened = interrupts.talk();
            LiveTalk talk = opened == null ? open(editor, id, false) : opened;
            interrupts.of(talk);
            int exitCode = talk.say(whole);
            status = talk.status();
            return exitCode;
        } catch (CommandProblem problem) {
            return told(problem);
        } finally {
            close(interrupts);
        }
    }

    private int told(CommandProblem problem) {
        shell().err().remark("belay: " + problem.getMessage(), Style.BAD);
        return problem.exitCode();
    }

    private int converse(Editor editor, Interrupts interrupts) throws Exception {
        boolean leaves = false;
        while (true) {
            switch (editor.message(status)) {
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
                case Editor.Typed.Line(String typed) -> {
                    leaves = false;
                    String text = typed.strip();
                    if (SlashCommand.isMeant(typed)) {
                        if (!obey(editor, interrupts, text)) {
                            return ExitCode.DONE;
                        }
                    } else if (!text.isEmpty() && say(editor, interrupts, text) == ExitCode.WAITING) {
                        return ExitCode.WAITING;
                    }
                }
            }
        }
    }

    /** Does what a command says; false if the chat is over. An unknown one is refused, and the model does not see it. */
    private boolean obey(Editor editor, Interrupts interrupts, String text) throws Exception {
        String[] words = text.split("\\s+", 2);
        String argument = words.length > 1 ? words[1].strip() : "";
        SlashCommand command = SlashCommand.of(words[0]).orElse(null);
        if (command == SlashCommand.QUIT || command == SlashCommand.EXIT) {
            return false;
        }
        close(interrupts); // another command serves the session, or it is another session from now on
        try {
            if (command == null) {
                refuse(words[0]);
            } else {
                obey(editor, command, argument);
            }
        } catch (CommandProblem problem) {
            told(problem);
        } catch (BelayException problem) {
            shell().err().remark("belay: " + problem.getMessage() + " (" + problem.code() + ")", Style.BAD);
        } finally {
            close(interrupts);
        }
        return true;
    }

    private void refuse(String word) {
        List<String> near = SlashCommand.near(word);
        shell().err()
                .remark("There is no command " + Shown.inLine(word, LONGEST_WORD) + ", and nothing was sent. "
                        + (near.isEmpty() ? "" : "Did you mean " + near.getFirst() + "? ")
                        + "/help lists the commands; a message may begin with a blank and then a slash.",
                        Style.BAD);
    }

    private void obey(Editor editor, SlashCommand command, String argument) throws Exception {
        switch (command) {
            case HELP -> help();
            case CLEAR -> become(newSession());
            case COMPACT -> known(session -> {
                session.compact();
                shell().err().line("The model reads a shorter history from the next message on.");
            });
            case MODEL -> model(argument);
            case TOOLS -> run("tools", "ls", "-C", workspace().root().toString());
            case MCP -> run("mcp", "ls", "-C", workspace().root().toString());
            case COST -> known(session -> shell().err().line(SessionCost.of(session).words()));
            case RESUME -> {
                String other = argument.isEmpty() ? pick(editor) : argument;
                requireKnown(other);
                become(other);
            }
            case SESSION -> shell().out().line(id);
            case QUIT, EXIT -> {
            }
        }
    }

    private void help() {
        for (SlashCommand command : SlashCommand.values()) {
            shell().err().line("%-18s %s".formatted(command.usage(), command.does()));
        }
        shell().err().print(KEYS);
    }

    private void become(String other) {
        id = other;
        status = "";
        shell().err().line("Session " + id + ".");
    }

    private void model(String name) {
        if (!name.isEmpty()) {
            use(name);
            status = "";
        }
        shell().err()
                .remark(named().map(one -> "The model " + one + " answers.")
                        .orElse("The model of belay.toml, or the first that is found, answers; /model NAME takes another."));
    }

    /** Does something with this session, if it was begun. */
    private void known(Consumer<Session> action) {
        requireKnown(id);
        try (BelayClient client = Belay.client(database().existing())) {
            action.accept(client.session(id));
        }
    }

    /** Runs another command as it is. */
    private void run(String... words) throws Exception {
        ParseResult parsed = spec().root().commandLine().parseArgs(words);
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        ((Callable<?>) parsed.commandSpec().userObject()).call();
    }
}
