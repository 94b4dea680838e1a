package dev.belay.cli;

import dev.belay.cli.demo.DemoVerbs;
import dev.belay.cli.local.LocalVerbs;
import dev.belay.cli.operate.OperatorVerbs;
import dev.belay.cli.shell.ClosedOutputException;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.talk.TalkVerbs;
import dev.belay.schema.NearestNames;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code belay} command. */
public final class Main {

    /** Picocli's bounds: a help page is not laid out narrower. */
    private static final int NARROWEST_HELP = 55;
    private static final int WIDEST_HELP = 100;
    private static final int MOST_NEAR = 3;

    /** What other tools call a command. */
    private static final Map<String, String> ELSEWHERE = Map.of("kill", "belay turns abandon SESSION",
            "terminate", "belay turns abandon SESSION", "cancel", "belay turns cancel SESSION", "retry",
            "belay turns retry SESSION", "reset", "belay sessions fork SESSION NAME --turn N", "list",
            "belay sessions ls", "ls", "belay sessions ls", "show", "belay sessions show SESSION", "logs",
            "belay events SESSION", "continue", "belay run --continue TASK");

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        Shell shell = Shell.ofProcess();
        System.setErr(shell.err().stream()); // the log is as foreign as what it tells
        System.exit(run(shell, args));
    }

    /** Runs a command; the exit code. */
    public static int run(Shell shell, String... args) {
        try {
            if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
                shell.out().line("belay " + version()); // without loading what commands need
                return ExitCode.DONE;
            }
            return execute(shell, args);
        } catch (ClosedOutputException gone) {
            return ExitCode.CLOSED;
        } catch (ParameterException wrong) {
            return usage(shell, wrong);
        } catch (Exception problem) {
            return Failures.tell(shell, problem);
        }
    }

    private static int execute(Shell shell, String... args) throws Exception {
        CommandLine root = commands(shell);
        List<String> words = new ArrayList<>(List.of(args));
        if (words.isEmpty()) {
            words.add("--help");
        } else if (words.getFirst().equals("help")) {
            words.removeFirst();
            words.add("--help");
        }
        ParseResult parsed = root.parseArgs(words.toArray(String[]::new));
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return (Integer) ((Callable<?>) parsed.commandSpec().userObject()).call();
    }

    static CommandLine commands(Shell shell) {
        var root = new CommandLine(new BelayCommand(shell));
        List<Class<?>> verbs = new ArrayList<>(DemoVerbs.all());
        verbs.addAll(TalkVerbs.all());
        verbs.addAll(LocalVerbs.all());
        verbs.addAll(OperatorVerbs.all());
        verbs.add(CompletionScript.class);
        verbs.forEach(root::addSubcommand);
        root.getCommandSpec().version("belay " + version());
        root.setOut(new PrintWriter(new OutputWriter(shell.out())));
        root.setErr(new PrintWriter(new OutputWriter(shell.err())));
        root.setColorScheme(
                Help.defaultColorScheme(shell.colours(1) ? Help.Ansi.ON : Help.Ansi.OFF));
        root.setUsageHelpWidth(
                Math.clamp(shell.width(1).orElse(WIDEST_HELP), NARROWEST_HELP, WIDEST_HELP));
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setExpandAtFiles(false); // the content of a file is never part of the command line
        return root;
    }

    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private static int usage(Shell shell, ParameterException wrong) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        shell.err().line("belay: " + wrong.getMessage());
        List<String> near = wrong instanceof UnmatchedArgumentException unmatched
                ? near(unmatched)
                : List.of();
        if (!near.isEmpty()) {
            shell.err().line("Did you mean: " + String.join(", ", near) + "?");
        }
        String ours = wrong instanceof UnmatchedArgumentException unmatched
                ? ELSEWHERE.get(unmatched.getUnmatched().getFirst())
                : null;
        if (ours != null) {
            shell.err().line("Here that is: " + ours);
        }
        shell.err().line("'" + command + " --help' says more.");
        return ExitCode.USAGE;
    }

    /** Picocli's suggestions fit options; for a short command it names long ones. An option may stand before the wrong command. */
    private static List<String> near(UnmatchedArgumentException unmatched) {
        if (unmatched.getUnmatched().getFirst().startsWith("-") && !unmatched.getSuggestions().isEmpty()) {
            return unmatched.getSuggestions();
        }
        return unmatched.getUnmatched()
                .stream()
                .filter(word -> !word.startsWith("-"))
                .map(word -> NearestNames.of(word, unmatched.getCommandLine().getSubcommands().keySet(),
                        MOST_NEAR))
                .filter(near -> !near.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Lets picocli write to an output of ours. */
    private static final class OutputWriter extends Writer {

        private final Output output;

        OutputWriter(Output output) {
            this.output = output;
        }

        @Override
        public void write(char[] text, int from, int length) {
            output.control(new String(text, from, length)); // help, in colours
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
