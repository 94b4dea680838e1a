package dev.belay.toolbox.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a host decides about commands; a model can change none of it. Immutable: each method returns other rules.
 *
 * @param programs if not empty: no shell, and only these programs, by name
 * @param launcher what every command is started through, such as a sandbox; usually nothing
 * @param inherited variables that a command gets as the host has them
 * @param variables variables that a command gets with these values
 * @param usual how long a command may take that asks for nothing
 * @param longest how long a command may ask for
 */
public record CommandRules(List<String> programs, List<String> launcher, List<String> inherited,
        Map<String, String> variables, Duration usual, Duration longest) {

    /** What programs need to find each other and to write text; nothing that usually holds a secret. */
    public static final List<String> INHERITED = List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG",
            "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "JAVA_HOME", "SystemRoot", "ComSpec", "PATHEXT", "TEMP",
            "TMP");

    /** Keeps programs from drawing on a terminal, paging, or asking for a password that nobody will type. */
    public static final Map<String, String> VARIABLES = Map.of("TERM", "dumb", "PAGER", "cat", "GIT_PAGER",
            "cat",
            "GIT_TERMINAL_PROMPT", "0", "NO_COLOR", "1");

    /**
     * The rules of a host that says nothing: a line for the shell, because that is what models write; two minutes, because a
     * model that waits longer should have said so; ten at most, because that is how long the runtime waits for a call.
     */
    public static final CommandRules DEFAULT = new CommandRules(List.of(), List.of(), INHERITED, VARIABLES,
            Duration.ofMinutes(2), Duration.ofMinutes(10));

    /** Copies what it is given and refuses times that make no sense. */
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

    /** No shell: a command is words, and the first one must be one of these names. */
    public CommandRules only(String... names) {
        return new CommandRules(List.of(names), launcher, inherited, variables, usual, longest);
    }

    /** Starts every command through another program, such as a sandbox: it gets the command as its last arguments. */
    public CommandRules through(String... command) {
        return new CommandRules(programs, List.of(command), inherited, variables, usual, longest);
    }

    /** Gives commands these variables of the host too. */
    public CommandRules inherit(String... names) {
        var more = new ArrayList<>(inherited);
        more.addAll(List.of(names));
        return new CommandRules(programs, launcher, more, variables, usual, longest);
    }

    /** Gives commands a variable. */
    public CommandRules variable(String name, String value) {
        var more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new CommandRules(programs, launcher, inherited, more, usual, longest);
    }

    /** With other times. */
    public CommandRules times(Duration usualTime, Duration longestTime) {
        return new CommandRules(programs, launcher, inherited, variables, usualTime, longestTime);
    }

    /** The environment of a command: what is inherited of the given one, and what is set. */
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
