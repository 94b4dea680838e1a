package dev.belay.cli.local;

import dev.belay.BelayException;
import dev.belay.cli.settings.CommandStore;
import dev.belay.cli.settings.LocalTools;
import dev.belay.cli.settings.ModelSearch;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.verb.Verb;
import dev.belay.model.Model;
import dev.belay.model.envelope.ToolCallProbe;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.schema.Shown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay doctor}. */
@Command(name = "doctor", header = "Check what a run needs: JDK, settings, database, tools, model.", description = {
    "",
    "Prints a line for each. With --probe the model is asked once to call a trivial tool, which may cost a fraction of a"
            + " cent. The exit code is 1 if something would keep a run from working."})
final class Doctor extends Verb {

    private static final int WORDS = 300;
    private static final int MOST_DOUBTS = 100;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Option(names = "--store", paramLabel = "PLACE", description = {
        "The store: a file, or jdbc:postgresql://HOST/DATABASE.",
        "Default: BELAY_STORE, else [store] of belay.toml, else .belay/belay.db of the workspace."})
    private @Nullable String store;

    @Option(names = "--probe", description = "Ask the model to call a tool.")
    private boolean probe;

    private boolean sick;

    @Override
    public Integer call() throws Exception {
        AgentWorkspace found = AgentWorkspace.of(shell(), workspace);
        check("java", () -> System.getProperty("java.version") + ", " + System.getProperty("java.home"));
        check("workspace", () -> {
            if (!Files.isWritable(found.root())) {
                throw CommandProblem.notPossible(found.root() + " cannot be written; check its permissions");
            }
            return found.root().toString();
        });
        Settings settings = check("settings", () -> Settings.of(shell(), found),
                read -> Files.exists(found.settings())
                        ? found.settings() + ", agents " + read.agents().keySet()
                        : "none; the usual ones");
        if (settings != null) {
            check("trust", () -> new Trust(shell(), found).asks(settings)
                    ? "not trusted; 'belay trust' trusts the settings"
                    : "fine");
            if (!settings.mcp().servers().isEmpty()) {
                check("mcp", () -> settings.mcp().checked(shell()));
            }
            check("tools", () -> LocalTools.of(shell(), found, settings).definitions().size() + " tools");
        }
        database(found, settings);
        if (settings != null && new Trust(shell(), found).asks(settings)) {
            shell().out().line("model: not looked for, because the settings are not trusted");
            sick = true;
        } else if (settings != null) {
            model(settings);
        }
        return sick ? ExitCode.FAILED : ExitCode.DONE;
    }

    private void database(AgentWorkspace found, @Nullable Settings settings) throws Exception {
        boolean isNamed = store != null || shell().variable("BELAY_STORE").isPresent();
        if (!isNamed && settings != null && settings.store().isPresent()
                && new Trust(shell(), found).asks(settings)) {
            shell().out().line("database: not looked at, because the settings are not trusted");
        } else if (isNamed || settings != null) {
            check("database", () -> database(CommandStore.of(shell(), found, store)));
        }
    }

    private static String database(CommandStore named) {
        if (!named.exists()) {
            return "none yet; the first run makes " + named;
        }
        try (BelayClient client = Belay.client(named.existing())) {
            int stuck = client.stuck().size();
            int doubts = client.doubts().open(0, MOST_DOUBTS).size();
            return named + ", " + stuck + " turns stuck, " + doubts + " calls in doubt";
        }
    }

    private void model(Settings settings) throws Exception {
        Model model = check("model",
                () -> ModelSearch.find(shell(), settings.usual().model(), prompt -> null),
                Object::toString);
        if (model != null && probe) {
            check("tool calls", () -> {
                ToolCallProbe.Finding finding = ToolCallProbe.probe(model);
                return finding.nativeCalls()
                        ? "native"
                        : "none: " + finding.evidence() + ". Set tool_calls = \"text\" in [model]";
            });
        }
    }

    private void check(String what, Callable<String> look) throws Exception {
        check(what, look, words -> words);
    }

    private <T> @Nullable T check(String what, Callable<T> look, Function<T, String> words)
            throws Exception {
        try {
            T seen = look.call();
            shell().out().remark(what + ": " + Shown.inLine(words.apply(seen), WORDS));
            return seen;
        } catch (CommandProblem | BelayException problem) {
            sick = true;
            shell().out().remark(what + ": " + Shown.inLine(String.valueOf(problem.getMessage()), WORDS));
            return null;
        }
    }
}
