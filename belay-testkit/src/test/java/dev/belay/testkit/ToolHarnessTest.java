package dev.belay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.Visibility;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One tool, called as the runtime would. */
final class ToolHarnessTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    private final AtomicReference<String> token = new AtomicReference<>("");

    private ToolHarness harness() {
        return ToolHarness.of(StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", ANY), (in, context) -> {
                    context.progress().report("asking the bank");
                    return "paid";
                })
                .raw(ToolDefinition.raw("ask", "Asks.", ANY), (in, context) -> {
                    token.set(context.completionKey().token());
                    return ToolResult.pending();
                })
                .raw(ToolDefinition.raw("rest", "Rests.", ANY).resumable(true), (in, context) -> {
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

    @Test
    void aCallWaitsForThePersonAsLongAsThePersonTakes() throws Exception {
        try (ToolHarness harness = guarded(new ScriptedPerson().approve("pay").after(Duration.ofDays(2)))) {
            assertThat(harness.call("pay", "{\"amount\":9}").text()).isEqualTo("paid {\"amount\":9}");
            assertThat(harness.time().now()).isEqualTo(FakeTime.START.plus(Duration.ofDays(2)));
            assertThat(harness.person().asked()).extracting(request -> request.call().tool())
                    .containsExactly("pay");
        }
    }

    @Test
    void aPersonEditsAnswersDeniesOrNeverSaysAnything() throws Exception {
        try (ToolHarness harness = guarded(new ScriptedPerson())) {
            harness.person().edit("pay", "{\"amount\":7}");
            assertThat(harness.call("pay", "{\"amount\":9}").text()).isEqualTo("paid {\"amount\":7}");
            harness.person().answer("pay", "\"by hand\"");
            assertThat(harness.call("pay", "{}").text()).isEqualTo("by hand");
            harness.person().deny("pay", "too much");
            assertThat(harness.call("pay", "{}").text()).contains("denied").contains("too much");
            harness.person()
                    .decide("pay", request -> request.call().arguments().get("amount").isPresent()
                            ? ApprovalAnswer.once()
                            : null);
            assertThat(harness.call("pay", "{\"amount\":1}").text()).isEqualTo("paid {\"amount\":1}");
            var waits = harness.start("pay", "{}");
            assertThat(waits.rest()).isEmpty();
            harness.time().advance(Duration.ofDays(7));
            assertThat(waits.outcome().code()).contains("approval_expired");
        }
    }

    @Test
    void aPolicyPluginsAndTheContextOfASessionTakePart() throws Exception {
        try (ToolHarness harness = ToolHarness.of(StaticToolProvider.builder()
                .raw(ToolDefinition.raw("who", "Says who.", ANY)
                        .visibility(Visibility.INTERNAL),
                        ToolBody.with(SessionToolContext.class,
                                (in, context) -> context.sessions().snapshot().session().value()))
                .raw(ToolDefinition.raw("pay", "Pays.", ANY), (in, context) -> "paid")
                .build())
                .with(builder -> builder
                        .policy(Policy.rules(PolicyRule.deny("no").tools("pay").reason("closed"))))) {
            assertThat(harness.call("who", "{}").text()).isEqualTo("call-1");
            assertThat(harness.call("pay", "{}").text()).contains("closed");
            assertThat(harness.call("pray", "{}").code()).contains("unknown_tool");
        }
    }

    @Test
    void aTurnOfAChildAgentAsksThePersonToo() throws Exception {
        var child = new ScriptedModel("child").call("pay", "{}").reply("done");
        try (ToolHarness harness = ToolHarness.of(StaticToolProvider.builder()
                .raw(ToolDefinition.raw("delegate", "Delegates.", ANY),
                        ToolBody.with(SessionToolContext.class,
                                (in, context) -> context.sessions()
                                        .create("child", "clerk")
                                        .turn("go", "Pay.")
                                        .await()
                                        .text()))
                .build())
                .with(builder -> builder.agent("clerk", clerk -> clerk.model(child).tools(paying())))
                .person(new ScriptedPerson().approve("pay"))) {
            assertThat(harness.call("delegate", "{}").text()).isEqualTo("done");

            harness.model().call("delegate", "{}").reply("It is done.");
            child.call("pay", "{}").reply("again");
            assertThat(harness.say("s", "Pay.").answer()).isEqualTo("It is done.");
            assertThat(harness.person().asked()).hasSize(2);
        }
    }

    @Test
    void aTurnRestsIfThePersonNeverAnswers() throws Exception {
        try (ToolHarness harness = guarded(new ScriptedPerson().never())) {
            harness.model().call("pay", "{}");
            assertThat(harness.say("s", "Pay.")).isInstanceOf(TurnResult.Resting.class);
        }
    }

    @Test
    void aPersonWithoutAnAnswerIsTold() {
        try (ToolHarness harness = guarded(new ScriptedPerson())) {
            assertThatThrownBy(() -> harness.call("pay", "{}")).isInstanceOf(AssertionError.class)
                    .hasMessageContaining("tool pay asks a person, and the script of this one is empty");
            harness.person().answer("look", "1");
            assertThatThrownBy(() -> harness.call("pay", "{}")).hasMessageContaining("speaks of [look] only");
            harness.person().edit("pay", "[]");
            assertThatThrownBy(() -> harness.call("pay", "{}")).isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the person could not answer tool pay")
                    .hasMessageContaining("arguments are an object");
            harness.person().never("pay").answer("pay", "1");
        } catch (AssertionError never) {
            assertThat(never)
                    .hasMessageContaining("never asked for [answer(\"look\", …), answer(\"pay\", …)]");
        }
    }

    @Test
    void aPersonWhoIsNeverAskedIsToldAtTheEnd() {
        ToolHarness harness = harness().person(new ScriptedPerson().approve("pay"));
        assertThatThrownBy(() -> {
            harness.call("pay", "{}");
            harness.close();
        }).isInstanceOf(AssertionError.class).hasMessageContaining("never asked for [approve(\"pay\")]");
    }

    @Test
    void twoPersonsAndLateChangesAreRefused() throws Exception {
        try (ToolHarness harness = harness().person(new ScriptedPerson())) {
            assertThatThrownBy(() -> harness.person(new ScriptedPerson()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has a person already");
            harness.call("pay", "{}");
            assertThatThrownBy(() -> harness.with(builder -> builder))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("before the first call");
        }
        assertThatThrownBy(() -> new ScriptedPerson().after(Duration.ofDays(-1)))
                .hasMessageContaining("PT-24H");
    }

    @Test
    void aRuntimeWithAnotherModelCannotCallForTheHarness() {
        try (ToolHarness harness = harness()
                .with(builder -> builder.model(new ScriptedModel().reply("Hello.")))) {
            assertThatThrownBy(() -> harness.call("pay", "{}")).hasMessageContaining("harness.model()");
        }
    }

    private static ToolHarness guarded(ScriptedPerson person) {
        return ToolHarness.of(paying()).person(person);
    }

    private static StaticToolProvider paying() {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", ANY).approval(Approval.ALWAYS),
                        (in, context) -> "paid " + in)
                .build();
    }
}
