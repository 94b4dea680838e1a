package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.model.Part.CallPart;
import dev.belay.plugins.PlanPlugin;
import dev.belay.plugins.SubAgentsPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.PreparedCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool that stands twice, and other faults of a program, are told early and let turns rest. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoubledToolsTest {

    private static final SessionId S = new SessionId("s");
    private static final CallPart PLAN = new CallPart("a", "plan", "{}");
    /** So many entries without a record make other turns stuck. */
    private static final int MOST_ENTRIES = 5;

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();
    private final FakeTime time = new FakeTime();
    private PluginStores stores = new PluginStores("memory", Path.of("none"));

    @AfterEach
    void close() {
        stores.close();
    }

    private static StaticToolProvider tool(String name, String says) {
        return StaticToolProvider.builder()
                .raw(SessionBench.tool(name, ToolEffect.READ), (arguments, context) -> says)
                .build();
    }

    private static PluginFactory planning(String id) {
        return PluginBench.plugin(id, on -> {
            on.tools().provider(tool("plan", "of the plugin"));
            on.actions().command("act", (input, context) -> input);
        });
    }

    /** A source whose tools change while it is attached. */
    private static final class Growing implements ToolProvider {

        private final List<ToolDefinition> tools = new CopyOnWriteArrayList<>();

        @Override
        public List<ToolDefinition> definitions() {
            return List.copyOf(tools);
        }

        @Override
        public Object execute(PreparedCall call) {
            return "of the source";
        }
    }

    private Belay open(UnaryOperator<dev.belay.runtime.BelayBuilder> with) {
        return stores.open(bench.calling(List.of(PLAN)), builder -> with.apply(builder.time(time)));
    }

    private Belay doubled() {
        return open(builder -> builder.tools(tool("plan", "of the program")).plugin(planning("planner")));
    }

    private Belay right() {
        return open(builder -> builder.plugin(planning("planner")));
    }

    private static void refused(String code, List<String> words, ThrowingCallable action) {
        assertThatThrownBy(action).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.getMessage()).contains(words);
        });
    }

    private void goOnUntil(java.util.function.BooleanSupplier is) {
        until(() -> {
            time.advance(Duration.ofSeconds(6));
            return is.getAsBoolean();
        });
    }

    @Test
    void buildRefusesAToolThatTheProgramAndAPluginDeclare() {
        var store = new StoreDriver(InMemoryStore.open());
        refused("plugin_conflict",
                List.of("\"update_plan\" stands twice", "StaticToolProvider", "plugin plan"),
                () -> Belay.builder()
                        .model(bench.calling())
                        .store(store.store())
                        .tools(tool("update_plan", "mine"))
                        .plugin(new PlanPlugin())
                        .build());
        refused("plugin_conflict",
                List.of("\"ask_agent\" stands twice", "StaticToolProvider", "plugin sub-agents"),
                () -> Belay.builder()
                        .model(bench.calling())
                        .store(store.store())
                        .agent("helper",
                                agent -> agent.model(bench.calling())
                                        .tools(tool("ask_agent", "mine"))
                                        .plugin(new SubAgentsPlugin(Map.of("helper", "helps"))))
                        .build());
        assertThat(store.head(S)).as("the store is as it was given").isEmpty();
    }

    @Test
    void buildRefusesAToolThatTwoPluginsDeclare() {
        PluginFactory second = new PluginFactory() {
            @Override
            public String id() {
                return "second";
            }

            @Override
            public List<ToolDefinition> declaredTools() {
                return List.of(SessionBench.tool("update_plan", ToolEffect.READ));
            }

            @Override
            public dev.belay.runtime.plugin.SessionPlugin build(
                    dev.belay.runtime.plugin.PluginSession session) {
                throw new AssertionError("no session is open");
            }
        };
        refused("plugin_conflict", List.of("\"update_plan\" stands twice", "plugin plan", "plugin second"),
                () -> Belay.builder().model(bench.calling()).plugin(new PlanPlugin()).plugin(second).build());
    }

    @Test
    void buildRefusesAToolThatTwoSourcesOfTheProgramHave() {
        refused("duplicate_tool_name", List.of("\"plan\" stands twice", "source 1", "source 2"),
                () -> Belay.builder()
                        .model(bench.calling())
                        .tools(tool("plan", "a"))
                        .tools(tool("plan", "b"))
                        .build());
    }

    @Test
    void aSessionThatWouldHaveAToolTwiceTakesNoInput() {
        Belay belay = doubled();
        List<String> words = List.of("\"plan\" stands twice", "StaticToolProvider", "plugin planner");
        refused("plugin_conflict", words, () -> belay.session(S).turn("Hello.").submit());
        refused("plugin_conflict", words, () -> belay.session(S).begin("Hello."));
        refused("plugin_conflict", words, () -> belay.session(S).actions().submit("act", Json.EMPTY_OBJECT));
        refused("plugin_conflict", words, () -> belay.session(S).again());
        assertThat(belay.session(S).head()).isEmpty();
    }

    @Test
    void aToolOfTwoPluginsNamesBoth() {
        Belay belay = open(builder -> builder.plugin(planning("one"))
                .plugin(PluginBench.plugin("two", on -> on.tools().provider(tool("plan", "twice")))));
        refused("plugin_conflict", List.of("plugin one", "plugin two"),
                () -> belay.session(S).turn("Hello.").submit());
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aTurnThatAClientGaveRestsAndGoesOnByItselfInARightProgram(String where) throws Exception {
        stores = new PluginStores(where, folder);
        try (Belay before = right()) {
            before.session(S).turn("Hello.").run();
        }
        Belay wrong = doubled();
        assertThat(wrong.health().faults()).isEmpty();
        BelayClient client = stores.client();
        InputHandle old = client.session(S).turn("Go on.").submit();
        InputHandle fresh = client.session("t").turn("Begin.").submit();
        goOnUntil(() -> wrong.misconfigured().size() == 2);
        for (int entries = 0; entries < 3 * MOST_ENTRIES; entries++) {
            time.advance(Duration.ofSeconds(6));
        }
        assertThat(wrong.stuck()).isEmpty();
        assertThat(wrong.waitingFor()).containsOnlyKeys("configuration plugin_conflict");
        assertThat(wrong.misconfigured()).extracting(MisconfiguredTurn::code).containsOnly("plugin_conflict");
        assertThat(wrong.health().faults()).singleElement()
                .asString()
                .startsWith("plugin_conflict: ")
                .contains("plugin planner");
        assertThat(wrong.health().isReady()).isTrue();
        assertThat(client.session(S).messages()).hasSize(4);
        until(() -> {
            WaitsFor waits = client.sessions(null, 9).items().getFirst().waits();
            return waits != null && waits.what() == WaitsFor.For.CONFIGURATION
                    && waits.detail().contains("plugin planner");
        });
        wrong.close();
        right();
        goOnUntil(() -> old.result().isPresent() && fresh.result().isPresent());
        assertThat(old.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: of the plugin");
        assertThat(fresh.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("done: of the plugin");
    }

    @Test
    void aTurnThatRestsIsEnteredOftenAndNeverCounted() throws Exception {
        var tries = new AtomicInteger();
        Belay belay = open(builder -> builder.plugin(PluginBench.plugin("broken", on -> {
            tries.incrementAndGet();
            throw new IllegalStateException("no port");
        })));
        InputHandle given = stores.client().session(S).turn("Hello.").submit();
        goOnUntil(() -> tries.get() > 3 * MOST_ENTRIES);
        assertThat(belay.stuck()).isEmpty();
        assertThat(given.result()).isEmpty();
        assertThat(belay.waitingFor()).containsOnlyKeys("configuration plugin_failed");
    }

    @Test
    void aTurnThatRestsCanBeAbandoned() {
        Belay wrong = doubled();
        InputHandle given = stores.client().session(S).turn("Hello.").submit();
        goOnUntil(() -> !wrong.misconfigured().isEmpty());
        until(() -> wrong.abandon(S, 1, "given up").equals(VerbResult.DONE));
        assertThat(given.result()).isPresent();
        assertThat(wrong.waitingFor()).isEmpty();
        assertThat(wrong.health().faults()).isEmpty();
    }

    @Test
    void aSourceThatGrowsATakenNameIsLeftOutAndTheOldSurfaceStays() throws Exception {
        var source = new Growing();
        Belay belay = open(builder -> builder.tools(source).plugin(planning("planner")));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
        source.tools.add(SessionBench.tool("plan", ToolEffect.READ));
        source.tools.add(SessionBench.tool("other", ToolEffect.READ));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
        assertThat(belay.session("new").turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
        assertThat(belay.session("new").tools().catalog().names()).contains("plan", "other");
        belay.session(S).tools().add(tool("more", "more"));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
        assertThat(belay.stuck()).isEmpty();
    }

    @Test
    void aSourceThatIsAddedWithATakenNameIsRefused() throws Exception {
        Belay belay = right();
        belay.session(S).turn("Go.").run();
        List<String> words = List.of("\"plan\" stands twice", "plugin planner", "StaticToolProvider");
        refused("plugin_conflict", words, () -> belay.tools().add(tool("plan", "late")));
        refused("plugin_conflict", words, () -> belay.tools().overlay(tool("plan", "over")));
        refused("plugin_conflict", words, () -> belay.session(S).tools().add(tool("plan", "late")));
        refused("plugin_conflict", words, () -> belay.session("new").tools().add(tool("plan", "late")));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
        assertThat(belay.session("new").turn("Go.").run().ended().text()).isEqualTo("done: of the plugin");
    }

    @Test
    void aPluginThatGrowsATakenNameIsLeftOut() throws Exception {
        var source = new Growing();
        Belay belay = open(builder -> builder.tools(tool("plan", "of the program"))
                .plugin(PluginBench.plugin("growing", on -> on.tools().provider(source))));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the program");
        source.tools.add(SessionBench.tool("plan", ToolEffect.READ));
        assertThat(belay.session(S).turn("Go.").run().ended().text()).isEqualTo("done: of the program");
    }

    @Test
    void aTurnWhoseModelIsNotHereRestsAndTheOneThatHasItRunsIt() throws Exception {
        stores = new PluginStores("memory", folder);
        Belay without = open(builder -> builder);
        InputHandle given = stores.client().session(S).turn("Hello.").model("small").submit();
        goOnUntil(() -> !without.misconfigured().isEmpty());
        assertThat(without.waitingFor()).containsOnlyKeys("configuration unknown_model");
        without.close();
        open(builder -> builder.model("small", SessionBench.model(request -> SessionBench.text("small"))));
        goOnUntil(() -> given.result().isPresent());
        assertThat(given.await(PATIENCE).orElseThrow().ended().text()).isEqualTo("small");
    }

    @Test
    void aTurnThatHasRecordedSomethingRestsFromTheNextEntryOn() throws Exception {
        stores = new PluginStores("memory", folder);
        BelayClient client = stores.client();
        Belay belay = open(builder -> builder.tools(StaticToolProvider.builder()
                .raw(SessionBench.tool("plan", ToolEffect.READ), (arguments, context) -> {
                    client.session(S).config().set(TurnSettings.NONE.withModel("gone"));
                    return "set";
                })
                .build()));
        InputHandle given = client.session(S).turn("Hello.").submit();
        goOnUntil(() -> !belay.misconfigured().isEmpty());
        for (int entries = 0; entries < 3 * MOST_ENTRIES; entries++) {
            time.advance(Duration.ofSeconds(6));
        }
        assertThat(belay.stuck()).isEmpty();
        assertThat(given.result()).isEmpty();
        given.cancel("enough");
        goOnUntil(() -> given.result().isPresent());
        assertThat(given.await(PATIENCE).orElseThrow().ended().rounds()).isEqualTo(1);
    }

    @Test
    void aTurnOfANamedLoopRestsAndGoesOnInARightProgram() throws Exception {
        stores = new PluginStores("memory", folder);
        Belay before = right();
        before.session(S).begin("Mine.", "in", "loop"); // its program dies
        before.close();
        Belay wrong = doubled();
        wrong.onReady("loop", turn -> {
            throw new AssertionError("the turn cannot be entered here");
        });
        goOnUntil(() -> !wrong.misconfigured().isEmpty());
        for (int entries = 0; entries < 3 * MOST_ENTRIES; entries++) {
            time.advance(Duration.ofSeconds(6));
        }
        assertThat(wrong.stuck()).isEmpty();
        wrong.close();
        Belay right = stores.open(SessionBench.model(request -> SessionBench.text("done")),
                builder -> builder.time(time).plugin(planning("planner")));
        right.onReady("loop", turn -> {
            turn.step().answer();
            turn.finish();
        });
        goOnUntil(() -> right.session(S).head().filter(head -> head.revision() == 1).isPresent());
    }

    @Test
    void aTurnThatWaitsForAPersonIsNotLostToAWrongProgram() throws Exception {
        stores = new PluginStores("memory", folder);
        Belay before = open(builder -> builder.plugin(planning("planner"))
                .policy(Policy.rules(PolicyRule.ask("plans").tools("plan"))));
        before.session(S).turn("Hello.").submit();
        until(() -> !before.approvals().open(null, 9).items().isEmpty());
        before.close();
        Belay wrong = doubled();
        var open = wrong.approvals().open(null, 9).items().getFirst();
        wrong.approvals().decide(open.keyId(), open.request().digest(), ApprovalAnswer.once());
        goOnUntil(() -> !wrong.misconfigured().isEmpty());
        assertThat(wrong.stuck()).isEmpty();
        wrong.close();
        Belay right = right();
        goOnUntil(() -> right.session(S).head().filter(head -> head.revision() == 1).isPresent());
        assertThat(right.session(S).messages().getLast().toString()).contains("done: of the plugin");
    }
}
