package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.laws.StoreDriver;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.plugin.engine.AgentPlugins;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.context.PluginState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Contract O.1 to O.6: how plugins come about, and in which order. */
class PluginLifeTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");

    private final PluginBench bench = new PluginBench();
    private final List<String> log = new CopyOnWriteArrayList<>();

    record Word(String value) {}

    /** Logs what happens to it; its state was kept by an older build. */
    private PluginFactory logging(String id, int version) {
        var state = PluginState.of("word", Word.class, new Word(""), Word.class, (before, after) -> after);
        var today = version == 1 ? state : state.version(version, (old, kept) -> {
            log.add("restore " + id);
            return kept;
        });
        return new PluginFactory() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return new SessionPlugin() {
                    @Override
                    public void register(PluginRegistrar on) {
                        log.add("register " + id);
                        on.state(today);
                        on.actions().command(id + ".set", Word.class, Word.class, (word, context) -> {
                            context.update(today, word);
                            return word;
                        });
                    }

                    @Override
                    public void ready() {
                        log.add("ready " + id);
                    }
                };
            }

            @Override
            public void close() {
                log.add("close " + id);
            }
        };
    }

    @Test
    void allRegisterThenAllAreRestoredThenAllAreReady() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(logging("a", 1))
                .plugin(logging("b", 1))
                .store(memory.open())
                .build()) {
            belay.session("s").actions().call("a.set", new Word("x"));
            belay.session("s").actions().call("b.set", new Word("y"));
        }
        assertThat(log).startsWith("register a", "register b", "ready a", "ready b");
        log.clear();
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(logging("a", 2))
                .plugin(logging("b", 2))
                .store(memory.open())
                .build()) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(log).startsWith("register a", "register b", "restore a", "restore b", "ready a", "ready b")
                .endsWith("close a", "close b");
    }

    @Test
    void oneFactoryServesTwoRuntimesAndIsClosedOnceAfterTheLast() throws Exception {
        PluginFactory shared = logging("a", 1);
        Belay first = bench.open(bench.calling(), shared);
        Belay second = bench.open(bench.calling(), shared);
        first.session("s").turn("Hello.").run();
        first.close();
        first.close();
        second.session("s").turn("Hello.").run();
        assertThat(log).doesNotContain("close a");
        second.close();
        assertThat(log).containsOnlyOnce("close a");
    }

    @Test
    void twoPluginsOfOneIdAreRefusedAndNamed() {
        assertThatThrownBy(() -> Belay.builder().plugin(logging("a", 1)).plugin(logging("a", 1)))
                .hasMessageContaining("\"a\"")
                .extracting("code")
                .isEqualTo("duplicate_plugin");
        assertThatThrownBy(() -> PluginStack.empty().push(logging("no spaces", 1)))
                .hasMessageContaining("no spaces");
    }

    @Test
    void aSlowBuildIsAWarningThatNamesThePlugin() throws Exception {
        var time = new FakeTime();
        var slow = PluginBench.built("slow", session -> {
            time.advance(Duration.ofMillis(7));
            return SessionPlugin.NONE;
        });
        try (var heard = HeardLog.of("dev.belay.plugin", Level.WARN);
                Belay belay = PluginBench.builder()
                        .model(bench.calling())
                        .time(time)
                        .plugin(slow)
                        .plugin(logging("quick", 1))
                        .build()) {
            belay.session("s").turn("Hello.").run();
            assertThat(heard.from("Plugin ")).singleElement()
                    .asString()
                    .startsWith(
                            "Plugin slow took 7 ms to build for session s, its fastest build 7000 µs; build(…)"
                                    + " must do no I/O");
        }
    }

    private static void failing(Belay belay, String code, String... words) {
        assertThatThrownBy(() -> belay.session("s").turn("Hello.").run()).hasMessageContainingAll(words)
                .extracting("code")
                .isEqualTo(code);
        assertThat(belay.session("s").head()).isEmpty(); // nothing was written
    }

    @Test
    void aPluginThatThrowsRefusesTheSessionAndIsNamed() {
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("broken", on -> {
            throw new IllegalStateException("no port");
        }))) {
            failing(belay, "plugin_failed", "plugin broken", "register", "no port");
        }
        try (Belay belay = bench.open(bench.calling(), PluginBench.built("unbuilt", session -> null))) {
            failing(belay, "plugin_failed", "plugin unbuilt", "be built");
        }
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("unlinked", on -> {
            throw new NoClassDefFoundError("com/example/Driver");
        }))) {
            failing(belay, "plugin_failed", "plugin unlinked", "register", "com/example/Driver");
        }
        try (Belay belay = bench.open(bench.calling(), PluginBench.built("deep", session -> {
            throw new StackOverflowError();
        }))) {
            failing(belay, "plugin_failed", "plugin deep", "be built", "StackOverflowError");
        }
    }

    /** There is no deadline: the program that opens the session waits, and may be interrupted. */
    @Test
    void aBuildThatHangsHoldsItsSessionAloneAndEndsWithAnInterrupt() throws Exception {
        var entered = new CountDownLatch(1);
        var hanging = PluginBench.built("hanging", session -> {
            if (session.id().value().equals("s")) {
                entered.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted", e);
                }
            }
            return SessionPlugin.NONE;
        });
        try (Belay belay = bench.open(bench.calling(), hanging)) {
            var opened = new CompletableFuture<Boolean>();
            Thread opening = Thread.ofVirtual().start(() -> {
                try {
                    failing(belay, "plugin_failed", "plugin hanging", "interrupted");
                    opened.complete(true);
                } catch (Throwable e) {
                    opened.completeExceptionally(e);
                }
            });
            entered.await();
            assertThat(belay.session("other").turn("Hello.").run().ended().text()).isEqualTo("done: nothing");
            opening.interrupt();
            assertThat(opened.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aPluginThatIsNotReadyRefusesTheSessionUntilItIs() throws Exception {
        var tries = new AtomicInteger();
        PluginFactory late = PluginBench.plugin("late", new SessionPlugin() {
            @Override
            public void register(PluginRegistrar on) {}

            @Override
            public void ready() {
                if (tries.incrementAndGet() <= 2) {
                    throw new IllegalStateException("no connection");
                }
            }
        });
        try (Belay belay = bench.open(bench.calling(), late)) {
            failing(belay, "plugin_failed", "plugin late could not get ready in session s", "no connection");
            assertThatThrownBy(() -> belay.session("s").begin("Mine."))
                    .hasMessageContaining("plugin late could not get ready");
            assertThat(belay.session("s").head()).isEmpty();
            assertThat(belay.session("s").turn("Hello.").run().ended().text()).isEqualTo("done: nothing");
        }
        assertThat(tries).hasValue(3);
    }

    @Test
    void anExclusiveSlotThatIsTakenTwiceNamesBoth() {
        SessionPlugin ranking = on -> on.discovery().ranker((question, tools) -> tools);
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("one", ranking),
                PluginBench.plugin("two", ranking))) {
            failing(belay, "plugin_conflict", "plugins one and two", "ranker");
        }
        SessionPlugin acting = on -> on.actions().query("same", (in, view) -> in);
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("one", acting),
                PluginBench.plugin("two", acting))) {
            failing(belay, "plugin_conflict", "plugins one and two", "action same");
        }
    }

    @Test
    void hintsAndTheRankerAreKeptForTheSearchOfTools() {
        ToolManifest pay = SessionBench.tool("pay", ToolEffect.ONCE).manifest();
        ToolManifest look = SessionBench.tool("look", ToolEffect.READ).manifest();
        var plugins = new AgentPlugins("default",
                PluginStack.empty()
                        .push(PluginBench.plugin("one",
                                on -> on.discovery().hint("pay", List.of("money"))))
                        .push(PluginBench.plugin("two", on -> {
                            on.discovery().hint("pay", List.of("invoice"));
                            on.discovery().ranker((question, tools) -> tools.reversed());
                        })),
                System::nanoTime).of(new SessionId("s"), null, Optional::empty);
        assertThat(plugins.hints()).containsExactly(Map.entry("pay", List.of("money", "invoice")));
        assertThat(Objects.requireNonNull(plugins.ranker()).apply("look for it", List.of(pay, look)))
                .containsExactly(look, pay);
    }

    @Test
    void whatOnePluginRegistersTwiceIsRefused() {
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("one", on -> {
            on.discovery().hint("search", List.of("find"));
            on.discovery().hint("search", List.of("look"));
        }))) {
            failing(belay, "plugin_conflict", "plugin one", "hints for tool search", "twice");
        }
        try (Belay belay = bench.open(bench.calling(), PluginBench.plugin("one", on -> {
            on.monitors().start("disk", context -> {});
            on.monitors().start("disk", context -> {});
        }))) {
            failing(belay, "plugin_conflict", "plugin one", "monitor disk", "twice");
        }
    }

    @Test
    void aStateOfAHundredMegabytesIsRefusedAndNothingIsLost() throws Exception {
        var greedy = PluginBench.plugin("greedy", on -> {
            on.state(PlanPlugin.STEPS);
            on.actions().command("fill", (in, context) -> {
                context.update(PlanPlugin.STEPS, new Change.Add("x".repeat(100 << 20)));
                return in;
            });
        });
        try (Belay belay = PluginBench.builder()
                .model(bench.calling())
                .time(new FakeTime()) // the bound of 5 seconds is another test's
                .plugin(greedy)
                .build()) {
            assertThatThrownBy(() -> belay.session("s").actions().call("fill", "now"))
                    .hasMessageContaining("it may have 1048576")
                    .extracting("code")
                    .isEqualTo("action_failed");
            assertThat(belay.session("s").turn("Hello.").run().ended().text()).startsWith("done");
        }
    }

    @Test
    void aTurnThatChangesNothingCommitsNoNewState() throws Exception {
        var memory = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(bench.calling(List.of(ONE)))
                .plugin(new PlanPlugin())
                .store(memory.open())
                .build()) {
            belay.session("s").turn("Plan it.").run();
        }
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(new PlanPlugin())
                .store(memory.open())
                .build();
                var store = new StoreDriver(memory.existing())) {
            belay.session("s").turn("Hello.").run();
            assertThat(store.turns(belay.session("s").id(), 1, 9))
                    .extracting(turn -> turn.end().state() != null)
                    .containsExactly(true, false);
        }
    }

    @Test
    void aChildStartsFresh() throws Exception {
        var children = new AtomicInteger();
        var sessions = PluginBench.built("watch", session -> {
            if (session.reason() == PluginSession.Reason.CHILD) {
                children.incrementAndGet();
                assertThat(session.isRootSession()).isFalse();
                assertThat(session.depth()).isEqualTo(1);
            }
            return on -> {
                on.state(PlanPlugin.STEPS);
                on.prompt()
                        .contribute("steps", Slot.VOLATILE,
                                view -> "steps " + view.get(PlanPlugin.STEPS).steps());
                on.actions().command("add", Change.Add.class, PlanPlugin.Steps.class, (add, context) -> {
                    context.update(PlanPlugin.STEPS, add);
                    return context.get(PlanPlugin.STEPS);
                });
            };
        });
        var ask = new CallPart("a", "ask_agent", "{\"agent\":\"default\",\"task\":\"Deeper.\"}");
        try (Belay belay = bench.open(dev.belay.tests.session.SessionBench.model(request -> {
            bench.requests.add(request);
            boolean first = request.messages().stream().noneMatch(Message.AssistantMessage.class::isInstance);
            return first && bench.requests.size() == 1
                    ? dev.belay.tests.session.SessionBench.calls(List.of(ask))
                    : dev.belay.tests.session.SessionBench.text("done");
        }), sessions, new dev.belay.plugins.SubAgentsPlugin(java.util.Map.of("default", "the same")))) {
            belay.session("s").actions().call("add", new Change.Add("one"));
            belay.session("s").turn("Ask.").run();
        }
        assertThat(children).hasPositiveValue();
        assertThat(bench.requests.get(0).messages().getLast().toString()).contains("steps [one]");
        assertThat(bench.requests.get(1).messages().getLast().toString()).contains("steps []");
    }
}
