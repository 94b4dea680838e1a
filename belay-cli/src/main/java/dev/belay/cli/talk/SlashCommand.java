package dev.belay.cli.talk;

import dev.belay.schema.NearestNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be typed in a chat instead of a message. */
enum SlashCommand {
    /** Lists them. */
    HELP("", "lists what can be typed"),
    /** A new session. */
    CLEAR("", "begins a new session; the old one is kept"),
    /** Shorter history. */
    COMPACT("", "lets the model read a shorter history from the next message on"),
    /** Another model. */
    MODEL("[NAME]", "says which model answers, or takes another one"),
    /** The tools. */
    TOOLS("", "lists the tools"),
    /** The MCP servers. */
    MCP("", "lists the MCP servers and their tools"),
    /** What was spent. */
    COST("", "says what the session has cost so far"),
    /** Another session. */
    RESUME("[SESSION]", "goes on with another session"),
    /** This session. */
    SESSION("", "prints the session, for 'belay sessions show' and 'belay chat -s'"),
    /** Leaves. */
    QUIT("", "leaves; so does Ctrl-D"),
    /** Leaves. */
    EXIT("", "leaves");

    private final String argument;
    private final String does;

    SlashCommand(String argument, String does) {
        this.argument = argument;
        this.does = does;
    }

    /** As it is typed. */
    String typed() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /** What it does. */
    String does() {
        return does;
    }

    /** As it is listed. */
    String usage() {
        return argument.isEmpty() ? typed() : typed() + " " + argument;
    }

    /** The command of a word such as {@code /help}. */
    static Optional<SlashCommand> of(String word) {
        return Stream.of(values()).filter(one -> one.typed().equals(word)).findFirst();
    }

    /** Whether a message is meant as a command: a path has a further slash. */
    static boolean isMeant(String message) {
        return message.startsWith("/") && message.split("\\s", 2)[0].indexOf('/', 1) < 0;
    }

    /** The commands nearest to a word. */
    static List<String> near(String word) {
        return NearestNames.of(word, Stream.of(values()).map(SlashCommand::typed).toList(), 1);
    }
}
