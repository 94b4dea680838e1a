import dev.belay.cli.Main;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes what a distribution has beside its jars: files for completion, and a manual page of all commands as their help describes them.
 * Started by {@code build/dist-files}, with the directory of the distribution as its argument.
 */
final class DistFiles {

    private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z][a-z-]*) +\\S");

    private DistFiles() {}

    public static void main(String[] args) throws IOException {
        Path home = Path.of(args[0]);
        Path completions = Files.createDirectories(home.resolve("completions"));
        Files.writeString(completions.resolve("belay.bash"), said("completion"));
        Files.writeString(completions.resolve("_belay"), """
                #compdef belay
                # For zsh: put this directory into fpath, before compinit.
                source "${${(%):-%x}:A:h}/belay.bash"
                _bash_complete -o default -F _complete_belay
                """);
        Files.writeString(Files.createDirectories(home.resolve("man/man1")).resolve("belay.1"), manual());
    }

    private static String manual() {
        String help = said("--help");
        var page = new StringBuilder(".TH BELAY 1 \"\" \"").append(said("--version").strip())
                .append("\"\n.SH NAME\nbelay \\- a durable tool runtime for LLM agents\n.SH DESCRIPTION\n");
        add(page, help);
        page.append(".SH COMMANDS\n");
        commands(page, List.of(), help);
        return page.toString();
    }

    private static void commands(StringBuilder page, List<String> above, String help) {
        int list = help.indexOf("\nCommands:\n");
        if (list < 0) {
            return;
        }
        String names = help.substring(list + "\nCommands:\n".length()).split("\n\n", 2)[0];
        COMMAND.matcher(names).results().map(found -> found.group(1)).forEach(name -> {
            List<String> command = new ArrayList<>(above);
            command.add(name);
            page.append(".SS belay ").append(String.join(" ", command).replace("-", "\\-")).append('\n');
            List<String> asked = new ArrayList<>(command);
            asked.add("--help");
            String of = said(asked.toArray(String[]::new));
            add(page, of);
            commands(page, command, of);
        });
    }

    private static void add(StringBuilder page, String help) {
        page.append(".nf\n");
        help.lines()
                .map(line -> line.replace("\\", "\\e").replace("-", "\\-"))
                .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
                .forEach(line -> page.append(line).append('\n'));
        page.append(".fi\n");
    }

    /** What a command prints. */
    private static String said(String... words) {
        var out = new ByteArrayOutputStream();
        int status = Main.run(new Shell(InputStream.nullInputStream(), Output.answer(out),
                Output.remarks(OutputStream.nullOutputStream()), Map.of(), Path.of("").toAbsolutePath(), Set.of(),
                (same, cancel) -> Person.NONE), words);
        if (status != 0) {
            throw new IllegalStateException("belay " + String.join(" ", words) + " ended with " + status);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
