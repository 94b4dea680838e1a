package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.Journal.EffectRow;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One tool, called as the runtime would. */
final class ToolHarnessTest {

    private final AtomicReference<String> token = new AtomicReference<>("");

    private ToolHarness harness() {
        Json any = Json.of("{\"type\":\"object\"}");
        return ToolHarness.of(StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", any), (in, context) -> {
                    context.progress().report("asking the bank");
                    return "paid";
                })
                .raw(ToolDefinition.raw("ask", "Asks.", any), (in, context) -> {
                    token.set(context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(ToolDefinition.raw("rest", "Rests.", any).resumable(true), (in, context) -> {
                    context.durable().sleep("nap", Duration.ofDays(1));
                    return "awake";
                })
                .build());
    }

    @Test
    void aCallShowsItsOutcomeEventsAndRecords() throws Exception {
        try (ToolHarness harness = harness()) {
            var call = harness.start("pay", "{}");

            assertThat(call.outcome()).isEqualTo(new ToolOutcome.Success(Json.string("paid")));
            assertThat(call.eventsToTheEnd()).extracting(event -> event.getClass().getSimpleName())
                    .containsExactly("Started", "Progress", "Finished");
            assertThat(call.records()).singleElement()
                    .satisfies(row -> assertThat(row.status()).isEqualTo(EffectRow.Status.COMPLETED));
            assertThat(harness.call("pay", "{").code()).contains("malformed_arguments");
        }
    }

    @Test
    void aDeferredCallIsCompletedByItsKey() throws Exception {
        try (ToolHarness harness = harness()) {
            var call = harness.start("ask", "{}");
            assertThat(call.rest()).isEmpty();

            assertThat(harness.resolve(token.get(), Resolution.ok(Json.string("yes"))))
                    .isEqualTo(new Delivery.Accepted());

            assertThat(call.outcome().text()).isEqualTo("yes");
            assertThat(call.eventsToTheEnd()).hasAtLeastOneElementOfType(CallEvent.Parked.class);
        }
    }

    @Test
    void timePassesOnlyByHand() throws Exception {
        try (ToolHarness harness = harness()) {
            var call = harness.start("rest", "{}");
            assertThat(call.rest()).isEmpty();

            harness.time().advance(Duration.ofDays(1));

            assertThat(call.outcome().text()).isEqualTo("awake");
        }
    }

    @Test
    void aCallThatWaitsIsNotWaitedForForEver() {
        try (ToolHarness harness = harness()) {
            assertThatThrownBy(() -> harness.call("ask", "{}")).hasMessageContaining("start");
        }
    }

    @Test
    void aParkedCallIsCancelled() throws Exception {
        try (ToolHarness harness = harness()) {
            var call = harness.start("ask", "{}");
            call.rest();

            call.cancel("enough");

            assertThat(call.outcome()).isEqualTo(new ToolOutcome.Cancelled("enough"));
        }
    }
}
