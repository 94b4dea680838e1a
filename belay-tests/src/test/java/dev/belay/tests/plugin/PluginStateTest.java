package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.HookContext;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.schema.Description;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract O.5: a state is changed by data that is recorded with what makes it. */
class PluginStateTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");
    private static final CallPart TWO = new CallPart("b", "add_step", "{\"step\":\"two\"}");

    private final PluginBench bench = new PluginBench();

    private String steps(int request) {
        return bench.requests.get(request).messages().getLast().toString();
    }

    @Test
    void aCallChangesTheStateAndAHookTellsIt() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE), List.of(TWO)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(bench.toldBy(1)).containsExactly("plan plan.changed {\"steps\":[\"one\"]}",
                "plan plan.changed {\"steps\":[\"one\",\"two\"]}");
    }

    @Test
    void parallelCallsSeeTheStateBeforeTheirBatchAndBothCount() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE, TWO)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(bench.toldBy(1)).containsExactlyInAnyOrder("plan plan.changed {\"steps\":[\"one\"]}",
                "plan plan.changed {\"steps\":[\"two\"]}");
        assertThat(steps(1)).contains("[one, two]");
    }

    @Test
    void theNextTurnBeginsWithTheStateOfTheLast() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
            belay.session("s").turn("And again.").run();
        }
        assertThat(steps(2)).contains("[one]");
        assertThat(steps(3)).contains("[one, one]");
    }

    @Test
    void aForkHasTheStateAsOfItsTurn() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
            belay.session("s").turn("And again.").run();
            belay.session("s").turn("Once more.").run();
            belay.session("s").fork("t", 1).turn("From one.").run();
            belay.session("s").fork("u", 2).turn("From two.").run();
        }
        assertThat(steps(6)).contains("[one]");
        assertThat(steps(8)).contains("[one, one]");
    }

    @Test
    void theStateOfAnAbsentPluginReturnsWithIt() throws Exception {
        var store = new SharedMemory();
        try (Belay belay = Belay.builder()
                .model(bench.calling(List.of(ONE)))
                .plugin(new PlanPlugin())
                .store(store.open())
                .build()) {
            belay.session("s").turn("Plan it.").run();
        }
        try (Belay belay = Belay.builder().model(bench.calling()).store(store.open()).build()) {
            belay.session("s").turn("Without it.").run();
        }
        try (Belay belay = Belay.builder()
                .model(bench.calling())
                .plugin(new PlanPlugin())
                .store(store.open())
                .build()) {
            belay.session("s").turn("With it.").run();
        }
        assertThat(steps(2)).contains("Without it.");
        assertThat(steps(3)).contains("[one]");
    }

    /** Tools that change the plan: one that fails at first, one that waits for its turn. */
    static final class Fragile {

        private final AtomicInteger attempts = new AtomicInteger();
        private final CountDownLatch other = new CountDownLatch(1);

        @Tool(effect = ToolEffect.READ, attempts = 2)
        @Description("Fails at first.")
        public String twice(SessionToolContext context) {
            int attempt = attempts.incrementAndGet();
            context.state().update(PlanPlugin.STEPS, new Change.Add("attempt " + attempt));
            if (attempt == 1) {
                throw new ToolException(new ToolFailure(ToolFailure.Kind.UNAVAILABLE, "busy", "try again",
                        ToolFailure.Source.TOOL, RetryAdvice.after(Duration.ofMillis(1))));
            }
            return "done";
        }

        @Tool(effect = ToolEffect.READ)
        @Description("Fails.")
        public String never(SessionToolContext context) {
            context.state().update(PlanPlugin.STEPS, new Change.Add("never"));
            throw new IllegalStateException("no");
        }

        @Tool(effect = ToolEffect.READ)
        @Description("Says what it sees after another call has ended.")
        public String late(SessionToolContext context) throws InterruptedException {
            other.await();
            return context.state().get(PlanPlugin.STEPS).steps().toString();
        }

        @Tool(effect = ToolEffect.READ, scheduling = Scheduling.SERIAL)
        @Description("Says what it sees.")
        public String look(SessionToolContext context) {
            String seen = context.state().get(PlanPlugin.STEPS).steps().toString();
            context.state().update(PlanPlugin.STEPS, new Change.Add("saw " + seen));
            return seen;
        }
    }

    private Belay fragile(CallPart... calls) {
        return PluginBench.builder()
                .model(bench.calling(List.of(calls)))
                .plugin(new PlanPlugin())
                .toolMethods(new Fragile())
                .build();
    }

    @Test
    @Timeout(60)
    void aParallelCallAndItsHooksDoNotSeeWhatACallOfTheirBatchHasChangedThatEndedBefore() throws Exception {
        var tools = new Fragile();
        List<String> seen = new CopyOnWriteArrayList<>();
        try (Belay belay = PluginBench.builder()
                .model(bench.calling(List.of(ONE, new CallPart("b", "late", "{}"))))
                .plugin(new PlanPlugin())
                .plugin(PluginBench.plugin("watch", on -> on.toolCalls().after("late", (call, outcome) -> {
                    seen.add(call.get(PlanPlugin.STEPS).steps().toString());
                    return AfterVerdict.keep();
                })))
                .toolMethods(tools)
                .listener((session, event) -> {
                    if (event instanceof TurnEvent.Call call && call.event() instanceof CallEvent.Finished) {
                        tools.other.countDown();
                    }
                })
                .build()) {
            assertThat(belay.session("s").turn("Go.").run().ended().text())
                    .isEqualTo("done: added as number 1, []");
        }
        assertThat(seen).containsExactly("[]");
        assertThat(steps(1)).contains("[one]");
    }

    /** The turn is entered again when the other call has ended and is known to have. */
    @Test
    @Timeout(60)
    void aParallelCallThatWasParkedDoesNotSeeThemEitherAndItsHooksCountOnce() throws Exception {
        BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
        List<String> seen = new CopyOnWriteArrayList<>();
        try (Belay belay = PluginBench.builder()
                .model(bench.calling(List.of(ONE, new CallPart("b", "ask", "{}"))))
                .plugin(new PlanPlugin())
                .plugin(PluginBench.plugin("watch", on -> {
                    on.toolCalls().before("ask", call -> {
                        call.update(PlanPlugin.STEPS, new Change.Add("asked"));
                        return BeforeVerdict.proceed();
                    });
                    on.toolCalls().after("ask", (call, outcome) -> {
                        seen.add(call.get(PlanPlugin.STEPS).steps().toString());
                        return AfterVerdict.keep();
                    });
                }))
                .tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT))
                .build()) {
            InputHandle turn = belay.session("s").turn("Go.").submit();
            String token = tokens.take();
            until(() -> {
                WaitsFor waits = belay.sessions(null, 9).items().getFirst().waits();
                return waits != null && waits.what() == WaitsFor.For.COMPLETION;
            });
            belay.resolve(token, Resolution.ok(Json.string("yes")));
            assertThat(turn.awaitCommit().text()).isEqualTo("done: added as number 1, yes");
        }
        assertThat(seen).containsExactly("[asked]");
        assertThat(steps(1)).contains("[one, asked]");
    }

    @Test
    void theChangesOfAFailedAttemptAreDropped() throws Exception {
        try (Belay belay = fragile(new CallPart("a", "twice", "{}"), new CallPart("b", "never", "{}"))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(steps(1)).contains("[attempt 2]");
    }

    @Test
    void aSerialCallSeesWhatCallsOfItsBatchHaveChangedThatEndedBefore() throws Exception {
        try (Belay belay = fragile(new CallPart("a", "look", "{}"), ONE, new CallPart("b", "look", "{}"))) {
            assertThat(belay.session("s").turn("Go.").run().ended().text())
                    .isEqualTo("done: [one], added as number 1, [saw [one], one]");
        }
        assertThat(steps(1)).as("the model's order").contains("[saw [one], one, saw [saw [one], one]]");
    }

    @Test
    void noViewStreamHookOrListenerCanChangeAState() throws Exception {
        var kept = new HookContext[1];
        Map<String, String> codes = new ConcurrentHashMap<>();
        Consumer<String> tries = where -> {
            try {
                kept[0].update(PlanPlugin.STEPS, new Change.Clear());
                codes.put(where, "changed");
            } catch (BelayException e) {
                codes.put(where, e.code());
            }
        };
        var meddler = plugin("meddler", on -> {
            on.turn().before(turn -> {
                kept[0] = turn;
                return TurnHook.goOn();
            });
            on.history().view((view, messages) -> {
                tries.accept("view");
                return messages;
            });
            on.output().stream((view, chunk) -> {
                tries.accept("stream");
                return List.of(chunk);
            });
            on.session().committed((view, end) -> tries.accept("listener"));
            on.session().config((view, now) -> {
                tries.accept("config");
                return now;
            });
            on.catalog().offer((view, tool) -> {
                tries.accept("catalog");
                return true;
            });
        });
        Model talking = new Model() {
            @Override
            public String id() {
                return "talking";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                listener.on(new ModelEvent.TextDelta("hello"));
                return SessionBench.text("hello");
            }
        };
        try (Belay belay = bench.open(talking, new PlanPlugin(), meddler)) {
            belay.session("s").turn("Go.").stream(event -> {});
        }
        assertThat(codes).containsOnlyKeys("view", "stream", "listener", "config", "catalog");
        assertThat(codes.values()).containsOnly("plugin_state_read_only");
    }

    @Test
    void theCatalogAndViewsSeeWhatAllSettledCallsHaveChanged() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var watching = plugin("watching", on -> {
            on.catalog().offer((view, tool) -> {
                seen.add("catalog " + view.get(PlanPlugin.STEPS).steps());
                return true;
            });
            on.history().view((view, messages) -> {
                seen.add("view " + view.get(PlanPlugin.STEPS).steps());
                return messages;
            });
        });
        try (Belay belay = bench.open(bench.calling(List.of(ONE, TWO)), new PlanPlugin(), watching)) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(seen).containsOnlyOnce("view []", "view [one, two]").hasSize(4);
        assertThat(seen).containsOnlyOnce("catalog []", "catalog [one, two]");
    }

    @Test
    void aContributionCannotChangeAState() throws Exception {
        var hook = new dev.belay.runtime.plugin.HookContext[1];
        var meddler = plugin("meddler", on -> {
            on.toolCalls().before(call -> {
                hook[0] = call;
                return BeforeVerdict.proceed();
            });
            on.prompt().contribute("meddler", Slot.SYSTEM, view -> {
                if (hook[0] != null) {
                    hook[0].update(PlanPlugin.STEPS, new Change.Clear());
                }
                return "hello";
            });
        });
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin(), meddler)) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(PluginBench.system(bench.requests.get(0))).isEqualTo("hello");
        assertThat(PluginBench.system(bench.requests.get(1))).isEmpty(); // plugin_state_read_only leaves it out
        assertThat(steps(1)).contains("[one]");
    }
}
