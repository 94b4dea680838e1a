package dev.belay.cli;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Shell;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The root of the commands. Used once. */
@Command(name = "belay", synopsisSubcommandLabel = "COMMAND", header = {
    "Belay: a durable tool runtime for LLM agents.", ""}, description = {
        "",
        "A session is a conversation in a database. A turn of it runs tools, waits for answers, and survives the"
                + " death of its process: the next one goes on from what was recorded.",
        "",
        "'belay demo' shows all of it in a minute, without a model and without a key.",
        ""}, descriptionHeading = "", commandListHeading = "%nCommands:%n", footerHeading = "%n", footer = {
            "'belay COMMAND --help' describes a command.",
            "",
            "Commands of the launcher, in a checkout:",
            "  ./belay example NAME   run an example",
            "  ./belay jdk            print the JDK that is used",
            "",
            "Files:",
            "  belay.toml             settings of a workspace, over ~/.config/belay/config.toml",
            "  .belay/                its database, notes, logs and tools",
            "",
            "Environment:",
            "  BELAY_STORE            the store, instead of .belay/belay.db",
            "  BELAY_STORE_USER       the user of a store on a server; BELAY_STORE_PASSWORD its password",
            "  BELAY_ACTOR            who asks, for the audit log",
            "  BELAY_LOG              level of the log on standard error; error by default",
            "  BELAY_JAVA_HOME        the JDK of the launcher",
            "  NO_COLOR               no colours",
            "",
            "Exit codes:",
            "    0  done, or it was so before",
            "    1  failed: the model, the store or a tool; a turn without an answer",
            "    2  wrong usage, settings or script",
            "    3  not possible: refused, not trusted, or a terminal is needed",
            "    4  not found",
            "    5  the turn waits for an answer",
            "   69  no JDK or no Maven (launcher)",
            "   70  the build failed (launcher)",
            "  130  Ctrl-C",
            "  141  standard output was closed"})
final class BelayCommand implements Shell.Holder, Callable<Integer> {

    private final Shell shell;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Print the version and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean version;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Print this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    BelayCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Shell shell() {
        return shell;
    }

    @Override
    public Integer call() {
        throw CommandProblem.usage("say what to do: 'belay demo', 'belay run TASK', or 'belay --help'");
    }
}
