package dev.belay.cli.operate;

import dev.belay.cli.settings.CommandAgent;
import dev.belay.cli.settings.CommandStore;
import dev.belay.cli.settings.LocalTools;
import dev.belay.cli.settings.Settings;
import dev.belay.cli.settings.Trust;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.operate.Doubts;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.schema.Shown;
import dev.belay.toolbox.Toolbox;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about calls that may have happened. */
final class DoubtVerbs {

    private static final int ARGUMENTS = 120;

    private DoubtVerbs() {}

    @Command(name = "doubts", header = "List calls that may have happened, in the order in which they arose.", description = {
        "",
        "A call with an effect started and left no outcome: its process died, it timed out, it was cancelled. Look at the"
                + " service behind the tool, by the idempotency key, and say what you found with 'belay settle'."})
    static final class ListDoubts extends StoreVerb {

        @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "At most so many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        protected int with(BelayClient client) {
            var table = new TextTable("DOUBT", "TOOL", "SESSION", "SINCE", "IDEMPOTENCY KEY", "ARGUMENTS");
            Instant now = Instant.now();
            for (Doubt doubt : client.doubts().open(0, Math.max(1, limit))) {
                OpenDoubt.Call call = doubt.about().call();
                if (isJson()) {
                    json(doubt, call);
                } else {
                    table.row(doubt.id(), call.name(), call.session() == null ? "" : call.session(),
                            Times.age(doubt.since(), now), call.idempotencyKey(),
                            Shown.inLine(call.arguments().compact(), ARGUMENTS));
                }
            }
            if (!isJson()) {
                table.print(shell(), "nothing is in doubt");
            }
            return ExitCode.DONE;
        }

        private void json(Doubt doubt, OpenDoubt.Call call) {
            print(out -> {
                out.name("doubt").value(doubt.id()).name("tool").value(call.name());
                if (call.session() != null) {
                    out.name("session").value(call.session()).name("turn").value(call.turn());
                }
                out.name("call").value(call.id()).name("arguments").value(call.arguments());
                out.name("idempotency_key").value(call.idempotencyKey());
                out.name("code").value(doubt.about().code()).name("why").value(doubt.about().why());
                out.name("since").value(doubt.since().toString());
            });
        }
    }

    /** What was found out; one of them. */
    static final class Truth {

        @Option(names = "--happened", paramLabel = "JSON", description = "It happened, with this output.")
        private @Nullable String output;

        @Option(names = "--did-not-happen", description = "It did not happen, and will not.")
        @SuppressWarnings("UnusedVariable") // one of the group is set, so that this is the one if the others are not
        private boolean didNot;

        @Option(names = "--ask", description = "Ask the reconciler of the tool, which the workspace must have.")
        private boolean ask;
    }

    @Command(name = "settle", header = "Say whether a call in doubt happened.", description = {"",
        "The first settlement counts. After --happened the model is told the output; after --did-not-happen the same"
                + " call is allowed again. A call that waits for this goes on with 'belay resume'.",
        "",
        "--ask lets the tool of the call look once more, if its service could not tell before. It needs the tools of the workspace,"
                + " which must be trusted. If nothing is found out, the doubt stays open and the exit code is 3."})
    static final class Settle extends StoreVerb {

        @Parameters(paramLabel = "DOUBT", description = "An id of 'belay doubts'.")
        private String doubt = "";

        @ArgGroup(multiplicity = "1")
        private Truth truth = new Truth();

        @Option(names = "--reason", paramLabel = "TEXT", description = "How that is known; kept in the audit log. Not with --ask.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            if (truth.ask == (reason != null)) {
                throw CommandProblem.usage(truth.ask
                        ? "--ask takes no --reason: the reconciler knows it"
                        : "say with --reason TEXT how that is known");
            }
            if (!truth.ask) {
                return super.call();
            }
            try (Belay belay = withTools()) {
                return with(belay.as(actor()));
            }
        }

        /** A runtime that has the tools of the workspace and runs no turn. */
        private Belay withTools() {
            CommandStore store = existingDatabase();
            Settings settings = Settings.of(shell(), workspace());
            new Trust(shell(), workspace()).require(settings);
            Toolbox tools = LocalTools.of(shell(), workspace(), settings);
            var builder = Belay.builder().store(store.open()).drain(Duration.ZERO).start(false);
            CommandAgent.withHelper(settings, settings.usual())
                    .forEach((name, agent) -> agent.define(builder, name, new ScriptedModel(), tools,
                            agent.policy()));
            return builder.build();
        }

        @Override
        protected int with(BelayClient client) {
            Doubts doubts = client.doubts();
            if (doubts.find(doubt).isEmpty()) {
                throw CommandProblem.notFound("there is no doubt \"" + Shown.inLine(doubt, ARGUMENTS)
                        + "\"; 'belay doubts' lists those that are open");
            }
            String known = reason == null ? "" : reason;
            return tell(truth.ask
                    ? doubts.ask(doubt)
                    : truth.output == null
                            ? doubts.didNotHappen(doubt, known)
                            : doubts.happened(doubt, value(truth.output), known),
                    "settled " + doubt);
        }

        private static Json value(String output) {
            try {
                return Json.of(output);
            } catch (JsonException e) {
                throw CommandProblem.usage("--happened takes JSON: " + e.getMessage()
                        + ". A text stands in quotes: --happened '\"R-1\"'; no output is null");
            }
        }
    }
}
