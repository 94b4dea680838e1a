package dev.belay.cli.local;

import dev.belay.cli.settings.SettingsReport;
import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.verb.Verb;
import dev.belay.json.Json;
import dev.belay.schema.Shown;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay config}. */
@Command(name = "config", header = "Show which settings are in force, and where each comes from.", description = {
    "",
    "Settings of the workspace (belay.toml) lie over those of the user (~/.config/belay/config.toml), but loosen neither their rules nor"
            + " the address of the model. Keys are never shown."})
final class ConfigVerb extends Verb {

    private static final int WORDS = 100;

    @Option(names = {"-C", "--workspace"}, paramLabel = "DIR", description = {"The workspace.",
        "Default: the nearest directory upwards with a belay.toml or a .belay."})
    private @Nullable Path workspace;

    @Option(names = "--json", description = "Print JSON, one value per line.")
    private boolean json;

    @Override
    public Integer call() {
        var table = new TextTable("SETTING", "VALUE", "FROM");
        for (SettingsReport.Row row : new SettingsReport(shell(), AgentWorkspace.of(shell(), workspace))
                .rows()) {
            if (json) {
                shell().out()
                        .line(Json.object(new TreeMap<>(Map.of("setting", Json.string(row.key()), "value",
                                Json.string(row.value()), "from", Json.string(row.from())))).text());
            } else {
                table.row(row.key(), Shown.inLine(row.value(), WORDS), row.from());
            }
        }
        if (!json) {
            table.print(shell(), "no settings");
        }
        return ExitCode.DONE;
    }
}
