package dev.belay.tests.snippets.lash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.plugin.PluginBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.context.PendingCompletion;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LashSamplesTest {

    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    /** Calls a tool once in each turn, then says what it was told; asked by a body, it says "ranked". */
    private Model calling(String tool, String arguments) {
        return SessionBench.model(request -> {
            requests.add(request);
            if (request.tools().isEmpty()) {
                return SessionBench.text("ranked");
            }
            return request.messages().getLast() instanceof Message.ToolMessage
                    || request.messages().stream().anyMatch(Message.ToolMessage.class::isInstance)
                            ? SessionBench.text(SessionBench.lastReplies(request))
                            : SessionBench.calls(List.of(new CallPart("a", tool, arguments)));
        });
    }

    private String answer(Belay belay) throws InterruptedException {
        return belay.session("s").turn("Go.").run().ended().text();
    }

    @Test
    void theWeatherIsLookedUp() throws Exception {
        try (Belay belay = ToolSamples.install(calling("weather_lookup", "{\"city\":\"Oslo\"}"))) {
            assertThat(answer(belay)).contains("metric weather in Oslo").contains("21");
        }
    }

    @Test
    void aProviderOfYourOwnExecutes() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling("echo", "{\"text\":\"hi\"}"))
                .tools(new ToolSamples.Echo())
                .build()) {
            assertThat(answer(belay)).contains("hi");
        }
    }

    @Test
    void aBodyAsksTheModel() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling("rank", "{\"answers\":\"a, b\"}"))
                .toolMethods(new ToolSamples.Ranking())
                .build()) {
            assertThat(answer(belay)).contains("ranked");
        }
    }

    @Test
    void inputOfATurnIsReadWhenACallIsPrepared() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling("greet", "{}"))
                .tools(new ToolSamples.Greeting())
                .build()) {
            assertThat(ToolSamples.greet(belay)).contains("hello, acme");
        }
    }

    @Test
    void aToolTakesAnotherOneOut() throws Exception {
        try (Belay belay = Belay.builder()
                .model(calling("drop", "{\"tool\":\"echo\"}"))
                .toolMethods(new ToolSamples.Admin())
                .tools(new ToolSamples.Echo())
                .build()) {
            answer(belay);
            assertThat(requests.getFirst().tools()).hasSize(2);
            assertThat(requests.getLast().tools()).hasSize(1);
        }
    }

    @Test
    void aSerialToolIsDeclared() {
        assertThat(ToolSamples.WRITE_FILE.manifest().scheduling().name()).isEqualTo("SERIAL");
    }

    @Test
    void stacksAreChangedAndReplaced() throws Exception {
        try (Belay belay = PluginSamples.defaults(calling("none", "{}"))) {
            answer(belay);
        }
        try (Belay belay = PluginSamples.replaced(calling("none", "{}"))) {
            answer(belay);
        }
        assertThat(requests).allMatch(request -> request.messages()
                .getFirst()
                .equals(Message.system("You work for the app.")));
    }

    @Test
    void anotherBudgetShowsMoreOfAnOutput() throws Exception {
        String text = "x".repeat(20_000);
        try (Belay belay = PluginSamples.budgeted(calling("echo", "{\"text\":\"" + text + "\"}"))) {
            belay.tools().add(new ToolSamples.Echo());
            assertThat(answer(belay)).isEqualTo(text);
        }
    }

    @Test
    void thePlanIsKeptShownAndTold() throws Exception {
        try (Belay belay = PluginSamples.wired(calling("update_plan", "{\"steps\":[\"look\",\"pay\"]}"))) {
            assertThat(answer(belay)).contains("2");
            assertThat(
                    belay.session("s").actions().call("plan.show", Nothing.NOTHING, PluginSamples.Plan.class))
                    .isEqualTo(new PluginSamples.Plan(List.of("look", "pay")));
        }
        assertThat(requests.getLast().messages().getLast()).isEqualTo(Message.user("The plan: [look, pay]"));
    }

    private static String key(BlockingQueue<String> keys) throws InterruptedException {
        String key = keys.poll(30, TimeUnit.SECONDS);
        assertThat(key).isNotNull();
        return key;
    }

    @Test
    void aLaterBuildReadsThePlanThatAnOlderOneHasKept() throws Exception {
        var memory = new SharedMemory();
        Model model = calling("update_plan", "{\"steps\":[\"look\",\"pay\"]}");
        try (Belay belay = Belay.builder()
                .model(model)
                .plugin(new PluginSamples.UpdatePlanPlugin())
                .store(memory.open())
                .build()) {
            answer(belay);
        }
        var marks = PluginBench.plugin("update_plan", on -> {
            on.state(PluginSamples.MARKED);
            on.actions()
                    .query("plan.show", Nothing.class, PluginSamples.Marked.class,
                            (in, view) -> view.get(PluginSamples.MARKED));
        });
        try (Belay belay = Belay.builder().model(model).plugin(marks).store(memory.open()).build()) {
            assertThat(belay.session("s")
                    .actions()
                    .call("plan.show", Nothing.NOTHING, PluginSamples.Marked.class)
                    .steps())
                    .containsExactly(new PluginSamples.Step("look", false),
                            new PluginSamples.Step("pay", false));
        }
    }

    @Test
    void aPendingCallIsCompletedByItsKey() throws Exception {
        var keys = new LinkedBlockingQueue<String>();
        try (Belay belay = Belay.builder()
                .model(calling("enqueue", "{}"))
                .toolMethods(new EffectSamples.Outside(keys::add))
                .build()) {
            InputHandle turn = belay.session("s").turn("Go.").submit();
            belay.resolve(key(keys), Resolution.ok(Json.string("it is done")));
            assertThat(turn.awaitCommit().text()).contains("it is done");
        }
    }

    @Test
    void aWaitIsConfigured() {
        assertThat(EffectSamples.strict(Instant.EPOCH).onTimeout())
                .isEqualTo(PendingCompletion.OnTimeout.FAIL_TURN);
    }

    @Test
    void stepsAndWaitsAreJournaled() throws Exception {
        var keys = new LinkedBlockingQueue<String>();
        try (Belay belay = Belay.builder()
                .model(calling("ask", "{\"question\":\"Ship it?\"}"))
                .toolMethods(new EffectSamples.Requests(keys::add))
                .build()) {
            InputHandle turn = belay.session("s").turn("Go.").submit();
            belay.resolve(key(keys), Resolution.ok(Json.string("yes")));
            assertThat(turn.awaitCommit().text()).contains("yes");
            assertThat(keys).isEmpty(); // published once, although the body was entered again
        }
    }

    @Test
    void aToolInAProcessTellsItsEvents() throws Exception {
        try (Belay belay = Belay.builder().tools(ToolMethods.of(new EffectSamples.Telling())).build()) {
            var process = belay.processes()
                    .start(ProcessStart.tool("open", Json.of("{\"question\":\"Ship it?\"}")).id("p"));
            process.awaitEnd();
            assertThat(process.events(0, 9).toString()).contains("work.input_request.opened");
        }
    }
}
