package dev.belay.cli.shell;

import dev.belay.cli.screen.Theme;
import dev.belay.schema.ShownLines;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * What a command is started in: its streams, its environment, its directory, and which of the streams are terminals.
 *
 * @param in standard input
 * @param out standard output: the answer and nothing else
 * @param err standard error: progress, questions and problems
 * @param environment variables
 * @param directory the working directory
 * @param terminals which of the streams 0, 1 and 2 are terminals
 * @param people the person at the terminal of a shell, given what Ctrl-C at a question ends; that says false if nothing runs
 */
public record Shell(InputStream in, Output out, Output err, Map<String, String> environment, Path directory,
        Set<Integer> terminals, BiFunction<Shell, BooleanSupplier, Person> people) {

    /** The launcher looks which streams are terminals, because Java cannot: the digits of those that are. */
    private static final String TERMINALS = "belay.terminals";
    private static final int WIDEST = 1_000;

    /** Copies the collections; what is written to a terminal cannot control it. */
    public Shell {
        Map<String, String> variables = Map.copyOf(environment);
        environment = variables;
        terminals = Set.copyOf(terminals);
        out = terminals.contains(1)
                ? out.onTerminal(() -> columns(variables), theme(1, terminals, variables))
                : out;
        err = terminals.contains(2)
                ? err.onTerminal(() -> columns(variables), theme(2, terminals, variables))
                : err;
    }

    /** Gives commands their shell: the object at the root of the commands has it. */
    public interface Holder {

        /** The shell. */
        Shell shell();
    }

    /** The shell of this process. */
    public static Shell ofProcess() {
        Set<Integer> terminals = new TreeSet<>();
        System.getProperty(TERMINALS, "").chars().map(digit -> digit - '0').forEach(terminals::add);
        return new Shell(new FileInputStream(FileDescriptor.in),
                Output.answer(new FileOutputStream(FileDescriptor.out)),
                Output.remarks(new FileOutputStream(FileDescriptor.err)), System.getenv(),
                Path.of("").toAbsolutePath(), terminals, Keyboard::new);
    }

    /** A variable that is set and not empty. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    /** Whether a person can be asked: questions go to standard error, answers come from standard input. */
    public boolean canAsk() {
        return terminals.contains(0) && terminals.contains(2);
    }

    /** Who answers questions. */
    public Person person(BooleanSupplier cancel) {
        return canAsk() ? people.apply(this, cancel) : Person.NONE;
    }

    /** Whether standard error may have colours and lines that change. */
    public boolean isLively() {
        return terminals.contains(2) && !"dumb".equals(environment.get("TERM"));
    }

    /** Whether a stream may have colours: it is a terminal that knows them, and {@code NO_COLOR} is not set. */
    public boolean colours(int stream) {
        return theme(stream) != Theme.NONE;
    }

    /** How text on a stream looks. */
    public Theme theme(int stream) {
        return theme(stream, terminals, environment);
    }

    private static Theme theme(int stream, Set<Integer> terminals, Map<String, String> variables) {
        boolean hasColours = isRich(stream, terminals, variables)
                && variables.getOrDefault("NO_COLOR", "").isEmpty();
        return hasColours ? Theme.of(variables) : Theme.NONE;
    }

    /** Whether a stream is a terminal that understands sequences: text may be laid out there. */
    public boolean isRich(int stream) {
        return isRich(stream, terminals, environment);
    }

    private static boolean isRich(int stream, Set<Integer> terminals, Map<String, String> variables) {
        return terminals.contains(stream)
                && !List.of("", "dumb").contains(variables.getOrDefault("TERM", ""));
    }

    /** How many characters a line of a stream has; empty if it is no terminal, so that lines have any length. */
    public Optional<Integer> width(int stream) {
        if (!terminals.contains(stream)) {
            return Optional.empty();
        }
        return Optional.of(columns(environment));
    }

    private static int columns(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("COLUMNS"))
                .flatMap(Shell::number)
                .or(Shell::widthByStty)
                .orElse(ShownLines.USUAL_WIDTH);
    }

    private static Optional<Integer> widthByStty() {
        try {
            // stty asks its standard input, which may not be the terminal while output is
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim()
                    .split(" ", -1);
            return size.length == 2 ? number(size[1]) : Optional.empty();
        } catch (IOException noStty) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> number(String text) {
        try {
            int number = Integer.parseInt(text.trim());
            return number > 0 && number <= WIDEST ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException notOne) {
            return Optional.empty();
        }
    }
}
