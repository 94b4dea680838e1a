package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract H.4, O.7: whichever write a process dies at, hooks have decided once, and what is recorded is not asked again. */
class HookCrashTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** A hook at every point of a turn: states, messages, and an answer that is not the last one. */
    private PluginFactory busy() {
        return plugin("busy", on -> {
            on.turn().before(turn -> {
                asked.add("before");
                turn.update(PlanPlugin.STEPS, new Change.Add("before"));
                turn.add(Message.user("Think."));
                return TurnHook.goOn();
            });
            on.turn().checkpoint((turn, point) -> {
                asked.add(point + " " + turn.round());
                turn.update(PlanPlugin.STEPS, new Change.Add(point.name()));
                if (point == TurnHook.Point.BEFORE_COMPLETION && turn.round() == 2) {
                    turn.add(Message.user("Sure?"));
                }
                return TurnHook.goOn();
            });
            on.turn().after((turn, end) -> turn.update(PlanPlugin.STEPS, new Change.Add("after")));
            on.toolCalls().before(call -> {
                call.update(PlanPlugin.STEPS, new Change.Add("call"));
                return BeforeVerdict.edit(Json.of("{\"step\":\"edited\"}"));
            });
            on.toolCalls().after((call, outcome) -> {
                call.update(PlanPlugin.STEPS, new Change.Add("called"));
                return AfterVerdict.complete(Json.string("replaced"));
            });
        });
    }

    /** Calls once in each turn, however many messages stand around that. */
    private static dev.belay.model.Model once() {
        return SessionBench.model(request -> {
            long inputs = request.messages().stream().filter(Message.user("Go.")::equals).count();
            long replies = request.messages().stream().filter(Message.ToolMessage.class::isInstance).count();
            return replies < inputs
                    ? SessionBench.calls(List.of(ONE))
                    : SessionBench.text("read " + SessionBench.lastReplies(request));
        });
    }

    @Test
    void aKilledTurnHasTheStateAndTheMessagesOfItsHooksOnce() throws Exception {
        int kills = PluginHarness.of(this::busy, once())
                .with(builder -> builder.plugin(new PlanPlugin()))
                .input("Go.")
                .input("Go.")
                .verify();
        assertThat(kills).isGreaterThan(20);
    }

    @Test
    void soItHasOnAFile(@TempDir Path folder) throws Exception {
        var files = new AtomicInteger();
        int kills = PluginHarness.of(this::busy, once())
                .with(builder -> builder.plugin(new PlanPlugin()))
                .input("Go.")
                .on(() -> {
                    Path file = folder.resolve(files.incrementAndGet() + ".db");
                    return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
                })
                .verify();
        assertThat(kills).isGreaterThan(10);
    }

    @Test
    void aRecordedRoundAsksNoHookAgain() throws Exception {
        try (var bench = new SessionBench()) {
            UnaryOperator<BelayBuilder> more = builder -> builder.plugin(new PlanPlugin()).plugin(busy());
            var dying = bench.dying(once(), Death.at(Moment.AFTER, "effect round/2 COMPLETED"), more);
            dying.belay.session("s").turn("Go.").id("in").submit();
            dying.awaitDeath();
            bench.open(once(), more).session("s").input("in").orElseThrow().awaitCommit();
        }
        assertThat(asked).containsExactly("before", "AFTER_WORK 2", "BEFORE_COMPLETION 2",
                "BEFORE_COMPLETION 3");
    }

    @Test
    void aRecordedVerdictStandsWithoutItsPluginAndWithOthers() throws Exception {
        for (List<PluginFactory> later : List.of(List.<PluginFactory>of(),
                List.of(plugin("deny", on -> on.toolCalls().before(call -> BeforeVerdict.reject("no"))),
                        plugin("edit", on -> on.toolCalls()
                                .before(call -> BeforeVerdict.edit(Json.of("{\"amount\":50}"))))))) {
            for (Loop loop : Loop.values()) {
                var desk = new PayDesk();
                try (var bench = new SessionBench()) {
                    var first = plugin("limit", on -> on.toolCalls()
                            .before(call -> BeforeVerdict.edit(Json.of("{\"amount\":10}"))));
                    String write = loop == Loop.HOSTED
                            ? "effect round/1 COMPLETED"
                            : "effect round/1/call/0/attempt/1 COMPLETED";
                    var dying = bench.dying(PayDesk.model(), Death.at(Moment.AFTER, write),
                            builder -> desk.with(loop, builder, first));
                    begin(loop, desk, dying.belay);
                    dying.awaitDeath();
                    Belay next = bench.open(PayDesk.model(),
                            builder -> desk.with(loop, builder, later.toArray(PluginFactory[]::new)));
                    assertThat(desk.turn(loop, next).text()).isEqualTo("done: paid 10");
                    assertThat(desk.paid).containsExactly(10L);
                }
            }
        }
    }

    private static void begin(Loop loop, PayDesk desk, Belay belay) {
        Thread.ofVirtual().start(() -> {
            try {
                desk.turn(loop, belay);
            } catch (Throwable dead) {
                // as everything in its process
            }
        });
    }

    /** All writes of a run without a fault. */
    private static Map<String, Integer> writes(Loop loop, UnaryOperator<BelayBuilder> more, PayDesk desk)
            throws InterruptedException {
        try (var bench = new SessionBench()) {
            desk.turn(loop, bench.open(PayDesk.model(), more));
            Map<String, Integer> writes = new HashMap<>();
            bench.writes().forEach(write -> writes.merge(write, 1, Integer::sum));
            return writes;
        }
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void whereverTheProcessDiesTheEditedAmountIsPaidAtMostOnce(Loop loop) throws Exception {
        var limit = plugin("limit", on -> {
            on.toolCalls().before(call -> {
                call.update(PlanPlugin.STEPS, new Change.Add("before"));
                return BeforeVerdict.edit(Json.of("{\"amount\":10}"));
            });
            on.toolCalls().after((call, outcome) -> {
                call.update(PlanPlugin.STEPS, new Change.Add("after"));
                return AfterVerdict.keep();
            });
        });
        Map<String, Integer> writes = writes(loop, builder -> new PayDesk().with(loop, builder, limit,
                new PlanPlugin()), new PayDesk());
        for (Map.Entry<String, Integer> write : writes.entrySet()) {
            for (Moment moment : Moment.values()) {
                var desk = new PayDesk();
                UnaryOperator<BelayBuilder> more = builder -> desk.with(loop, builder, limit,
                        new PlanPlugin());
                try (var bench = new SessionBench()) {
                    var dying = bench.dying(PayDesk.model(), Death.at(moment, write.getKey()), more);
                    begin(loop, desk, dying.belay);
                    dying.awaitDeath();
                    Belay next = bench.open(PayDesk.model(), more);
                    assertThat(desk.turn(loop, next).text()).as(moment + " " + write.getKey())
                            .matches(SessionBench.leftOpen(dying.written()).contains("round/1/call/0")
                                    ? "done: .*in_doubt.*"
                                    : "done: paid 10");
                    assertThat(desk.paid).as(moment + " " + write.getKey()).isIn(List.of(), List.of(10L));
                    String state = next.session("s").head().orElseThrow().state().text();
                    assertThat(state.split("\"before\"", -1)).as("once, at " + moment + " " + write.getKey())
                            .hasSize(2);
                }
            }
        }
    }

    @Test
    void whereverTheProcessDiesTheQueuedInputOfAHookRunsOnce() throws Exception {
        UnaryOperator<BelayBuilder> more = builder -> builder
                .plugin(PluginBench.built("more", session -> on -> on.turn().after((turn, end) -> {
                    if (turn.turn() == 1 && session.isRootSession()) {
                        turn.add(Message.user("And then?"));
                        turn.startChild("late", "default", "Tidy up.");
                    }
                })));
        var model = SessionBench.model(request -> SessionBench.text("yes"));
        List<String> writes;
        try (var bench = new SessionBench()) {
            toTheEnd(bench.open(model, more));
            writes = bench.writes().stream().map(HookCrashTest::named).distinct().toList();
        }
        for (String write : writes) {
            for (Moment moment : Moment.values()) {
                try (var bench = new SessionBench()) {
                    var dying = bench.dying(model, (at, name) -> at == moment && named(name).equals(write),
                            more);
                    Thread.ofVirtual().start(() -> {
                        try {
                            toTheEnd(dying.belay);
                        } catch (Throwable dead) {
                            // as everything in its process
                        }
                    });
                    dying.awaitDeath();
                    Belay next = bench.open(model, more);
                    toTheEnd(next);
                    assertThat(next.session("s").messages()).as(moment + " " + write)
                            .containsExactly(Message.user("Go."), Message.assistant("yes"),
                                    Message.user("And then?"), Message.assistant("yes"));
                    assertThat(next.sessions(null, 10).items()).as(moment + " " + write).hasSize(2);
                }
            }
        }
    }

    /** A write without the id of a child, which is another one in each session. */
    private static String named(String write) {
        return write.replaceAll("child-[0-9a-f]+-[0-9a-f]+", "child");
    }

    private static void toTheEnd(Belay belay) throws InterruptedException {
        belay.session("s").turn("Go.").id("in").run();
        belay.session("s").input("plugin/more/1").orElseThrow().awaitCommit();
        for (var entry : belay.sessions(null, 10).items()) {
            var child = belay.session(entry.head().id()).input("start");
            if (child.isPresent()) {
                child.get().awaitCommit();
            }
        }
    }
}
