package dev.belay.cli.operate;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.operate.Doubts;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.schema.Shown;
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
        @SuppressWarnings("UnusedVariable") // one of the group is set, so that this is the one if the other is not
        private boolean didNot;
    }

    @Command(name = "settle", header = "Say whether a call in doubt happened.", description = {"",
        "The first settlement counts. After --happened the model is told the output; after --did-not-happen the same"
                + " call is allowed again. A call that waits for this goes on."})
    static final class Settle extends StoreVerb {

        @Parameters(paramLabel = "DOUBT", description = "An id of 'belay doubts'.")
        private String doubt = "";

        @ArgGroup(multiplicity = "1")
        private Truth truth = new Truth();

        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "How that is known; kept in the audit log.")
        private String reason = "";

        @Override
        protected int with(BelayClient client) {
            Doubts doubts = client.doubts();
            if (doubts.find(doubt).isEmpty()) {
                throw CommandProblem.notFound("there is no doubt \"" + Shown.inLine(doubt, ARGUMENTS)
                        + "\"; 'belay doubts' lists those that are open");
            }
            return tell(truth.output == null
                    ? doubts.didNotHappen(doubt, reason)
                    : doubts.happened(doubt, value(truth.output), reason), "settled " + doubt);
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
