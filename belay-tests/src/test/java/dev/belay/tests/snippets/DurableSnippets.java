package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.CallsResult;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.Store;
import dev.belay.schema.Description;
import dev.belay.schema.Violations;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.SigningSecrets;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolOutcome.Success;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.context.Reconciliation;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The code of {@code docs/deferred-tools.md}, {@code docs/store-sqlite.md} and
 * {@code docs/store-postgres.md}.
 */
final class DurableSnippets {

    private DurableSnippets() {}

    /** Somebody outside who gets work and answers later. */
    interface Desk {
        void open(String ticket, String key);

        void close(String ticket);
    }

    /** A service that knows idempotency keys. */
    interface Payments {
        Optional<String> find(String idempotencyKey);
    }

    // region pending
    @Description("Asks a person and waits for the answer.")
    @Tool
    record AskPerson(String question) implements ToolInput<String> {}

    static ToolResult<String> ask(AskPerson in, ToolContext context, Desk desk, Clock clock) {
        CompletionKey key = context.completionKey(); // first: it names the wait
        desk.open(in.question(), key.token()); // the whole token is what resolves, key.id() may be logged
        return ToolResult.pending(PendingCompletion.DEFAULT
                .until(clock.instant().plus(Duration.ofDays(3))) // then: tool_completion_timeout
                .announcing("Waiting for a person to answer")); // told if and only if the call parked
    }
    // endregion

    // region cancel
    static ToolProvider provider(Desk desk, Clock clock) {
        ToolDefinition definition = ToolDefinition.of(AskPerson.class)
                .onCancel(call -> desk.close(call.arguments().get("question").orElseThrow().asString()));
        return StaticToolProvider.builder()
                .tool(definition, AskPerson.class, (in, context) -> ask(in, context, desk, clock))
                .build();
    }
    // endregion

    // region run
    static String run(Path file, ToolProvider tools) throws InterruptedException {
        try (var belay = Belay.builder().tools(tools).store(JdbcStore.sqlite(file)).build()) {
            CallsResult result = belay.calls()
                    .run("question-1",
                            List.of(new CallRequest("ask_person", "{\"question\": \"Ship it?\"}")));
            return switch (result) {
                case CallsResult.Ended(var outcomes) -> outcomes.getFirst().text();
                case CallsResult.Resting resting -> resting.toString(); // what it waits for, and what answers that
            };
        }
    }
    // endregion

    // region secrets
    static Store open(Path file) {
        return JdbcStore.sqlite(file,
                SqliteOptions.STANDARD.withSecrets(SigningSecrets.environment("BELAY_SECRET")));
    }
    // endregion

    /** Its name is that of the page's snippet for SQLite. */
    static final class OnPostgres {

        private OnPostgres() {}

        // region postgres
        static Store open(DataSource source) {
            return JdbcStore.postgres(source, PostgresOptions.STANDARD.withSchema("agents"));
        }
        // endregion
    }

    // region resolve
    static String answer(DurableCalls calls, String token, String text) {
        return switch (calls.resolve(token, Resolution.ok(Json.string(text)))) {
            case Delivery.Accepted accepted -> "thank you";
            case Delivery.Same same -> "you said so before";
            case Delivery.Lost(Resolution winner) -> "too late: " + winner;
            case Delivery.Refused(Violations violations) -> "try again: " + violations.message();
            case Delivery.Unknown unknown -> "no such question";
        };
    }
    // endregion

    // region reconcile
    static ToolDefinition reconciled(ToolDefinition pay, Payments payments) {
        return pay.reconciler((RecordedCall call) -> payments.find(call.idempotencyKey().value())
                .map(receipt -> Reconciliation.<ToolOutcome>happened(new Success(Json.string(receipt))))
                .orElseGet(() -> Reconciliation.didNotHappen("the bank has no payment of this key")));
    }
    // endregion
}
