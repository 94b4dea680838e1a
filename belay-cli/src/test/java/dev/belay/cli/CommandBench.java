package dev.belay.cli;

import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs commands in this process, in a directory and an environment of its own. */
public final class CommandBench {

    /** Settings with the teaching tools beside notes and files. */
    public static final String BASICS = "[tools]\ngroups = [\"basics\", \"notes\", \"write_files\"]\n";

    private final Path directory;
    private final Map<String, String> environment = new TreeMap<>(Map.of("USER", "anna"));
    private Set<Integer> terminals = Set.of();
    private String input = "";
    private Runnable beforeInput = () -> {};
    private String watched = "";
    private Runnable action = () -> {};

    /**
     * What a command left.
     *
     * @param status the exit code
     * @param out standard output
     * @param err standard error
     */
    public record Run(int status, String out, String err) {}

    /** A bench in a directory. */
    public CommandBench(Path directory) {
        this.directory = directory;
    }

    /** Sets a variable. */
    public CommandBench set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Lets these streams be terminals, with a person who types the input. */
    public CommandBench terminals(Integer... streams) {
        terminals = Set.of(streams);
        return this;
    }

    /** Does something once, as soon as standard output or standard error has a text. */
    public CommandBench watch(String text, Runnable then) {
        watched = text;
        action = then;
        return this;
    }

    /** What standard input has. */
    public CommandBench input(String text) {
        input = text;
        return this;
    }

    /** The same; does something when it is read for the first time. */
    public CommandBench input(String text, Runnable before) {
        beforeInput = before;
        return input(text);
    }

    /** Runs a command. */
    public Run run(String... arguments) {
        var out = new Watched();
        var err = new Watched();
        var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] into, int from, int length) {
                if (pos == 0) {
                    beforeInput.run();
                }
                return super.read(into, from, length);
            }
        };
        Output remarks = Output.remarks(err);
        Person person = reader(in, remarks);
        var shell = new Shell(in, Output.answer(out), remarks, environment, directory, terminals,
                (same, cancel) -> person);
        int status = Main.run(shell, arguments);
        return new Run(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** A person who types a line of the input at each question. */
    private static Person reader(InputStream in, Output err) {
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        return (prompt, isOpen) -> {
            err.print(prompt);
            try {
                return lines.readLine();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        };
    }

    /** A stream on which a text is waited for. */
    private final class Watched extends ByteArrayOutputStream {

        @Override
        public void flush() {
            if (!watched.isEmpty() && toString(StandardCharsets.UTF_8).contains(watched)) {
                watched = "";
                action.run();
            }
        }
    }
}
