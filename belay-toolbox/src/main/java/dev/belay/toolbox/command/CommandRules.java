package dev.belay.toolbox.command;

import dev.belay.json.FramedHash;
import dev.belay.schema.Shown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The host's rules for commands; a model cannot change them. Immutable: each method returns other rules.
 *
 * @param programs if not empty: no shell, and only these programs, by name
 * @param launcher the program that starts every command, such as a sandbox, with its arguments; usually empty
 * @param inherited variables that a command inherits from the host
 * @param variables variables that a command gets with these values
 * @param usual the time limit of a command that sets none
 * @param longest the highest time limit that a command may set
 * @param marks whether control characters and the like in the output are shown as {@code <U+001B>}
 */
public record CommandRules(List<String> programs, List<String> launcher, List<String> inherited,
        Map<String, String> variables, Duration usual, Duration longest, boolean marks) {

    /** Variables that programs need to find each other and to write text; none that usually holds a secret. */
    public static final List<String> INHERITED = List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG",
            "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "JAVA_HOME", "SystemRoot", "ComSpec", "PATHEXT", "TEMP",
            "TMP");

    /** Keeps programs from drawing on a terminal, paging, or asking for a password. */
    public static final Map<String, String> VARIABLES = Map.of("TERM", "dumb", "PAGER", "cat", "GIT_PAGER",
            "cat",
            "GIT_TERMINAL_PROMPT", "0", "NO_COLOR", "1");

    /**
     * The default rules: a shell, because models write command lines; two minutes, because a model can ask for more; ten minutes
     * at most, because the runtime waits no longer for a call; marks, because a character that cannot be seen can mislead.
     */
    public static final CommandRules DEFAULT = new CommandRules(List.of(), List.of(), INHERITED, VARIABLES,
            Duration.ofMinutes(2), Duration.ofMinutes(10), true);

    /** Copies the collections and refuses times other than {@code 0 < usual <= longest}. */
    public CommandRules {
        programs = List.copyOf(programs);
        launcher = List.copyOf(launcher);
        inherited = List.copyOf(inherited);
        variables = Map.copyOf(variables);
        if (!usual.isPositive() || longest.compareTo(usual) < 0) {
            throw new IllegalArgumentException(
                    "times must satisfy 0 < usual <= longest, found " + usual + " and " + longest);
        }
    }

    /** Uses no shell: a command is a list of words, and the first must be one of these names. */
    public CommandRules only(String... names) {
        return new CommandRules(List.of(names), launcher, inherited, variables, usual, longest, marks);
    }

    /** Starts every command through another program, such as a sandbox, which gets the command as its last arguments. */
    public CommandRules through(String... command) {
        return new CommandRules(programs, List.of(command), inherited, variables, usual, longest, marks);
    }

    /** Gives commands these variables of the host too. */
    public CommandRules inherit(String... names) {
        var more = new ArrayList<>(inherited);
        more.addAll(List.of(names));
        return new CommandRules(programs, launcher, more, variables, usual, longest, marks);
    }

    /** Gives commands a variable. */
    public CommandRules variable(String name, String value) {
        var more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new CommandRules(programs, launcher, inherited, more, usual, longest, marks);
    }

    /** With other times. */
    public CommandRules times(Duration usualTime, Duration longestTime) {
        return new CommandRules(programs, launcher, inherited, variables, usualTime, longestTime, marks);
    }

    /** Shows the output of commands as it is. */
    public CommandRules rawText() {
        return new CommandRules(programs, launcher, inherited, variables, usual, longest, false);
    }

    /** A hash of where and under which rules commands run; grants end with it. */
    String hash(Path workspace) {
        FramedHash hash = new FramedHash().add("belay-command-target-1")
                .add(workspace.toAbsolutePath().toString());
        add(hash, programs);
        add(hash, launcher);
        addVariables(hash);
        return hash.hex();
    }

    /** Adds the names that may be inherited, and the variables that are set here with their values. */
    void addVariables(FramedHash hash) {
        add(hash, new TreeSet<>(inherited));
        hash.add(variables.size());
        new TreeMap<>(variables).forEach((name, value) -> hash.add(name).add(value));
    }

    private static void add(FramedHash hash, Collection<String> texts) {
        hash.add(texts.size());
        texts.forEach(hash::add);
    }

    String shown(String text) {
        return marks ? Shown.output(text) : text;
    }

    /** The environment of a command: the inherited variables of the given one, and the variables set here. */
    Map<String, String> environment(Map<String, String> host) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String name : inherited) {
            String value = host.get(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.putAll(variables);
        return environment;
    }
}
