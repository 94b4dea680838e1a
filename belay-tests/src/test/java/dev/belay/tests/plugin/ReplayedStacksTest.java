package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.context.PluginState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract H.4, O.5 and O.10: a turn whose plugins stand in another order, or are older, when it is replayed. */
class ReplayedStacksTest {

    private static final SessionId S = new SessionId("s");
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(6);

    @TempDir
    Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Adds its name to the plan at every point of a turn. */
    private PluginFactory noting(String id) {
        return plugin(id, on -> {
            on.turn().before(turn -> {
                asked.add(id + " turn");
                turn.update(PlanPlugin.STEPS, new Change.Add(id + " turn"));
                return TurnHook.goOn();
            });
            on.toolCalls().before(call -> {
                asked.add(id + " before");
                call.update(PlanPlugin.STEPS, new Change.Add(id + " before"));
                return id.equals("a")
                        ? BeforeVerdict.edit(Json.of("{\"amount\":10}"))
                        : BeforeVerdict.proceed();
            });
            on.toolCalls().after((call, outcome) -> {
                asked.add(id + " after");
                call.update(PlanPlugin.STEPS, new Change.Add(id + " after"));
                return AfterVerdict.keep();
            });
        });
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void recordedHooksCountInTheirOldOrderAndAreNotAskedInTheNewOne(Loop loop) throws Exception {
        var desk = new PayDesk();
        try (var bench = new SessionBench()) {
            var dying = bench.dying(PayDesk.model(),
                    Death.at(JournalProbe.Moment.AFTER, "effect round/1/call/0/attempt/1 COMPLETED"),
                    builder -> desk.with(loop, builder, new PlanPlugin(), noting("a"), noting("b")));
            Thread.ofVirtual().start(() -> {
                try {
                    desk.turn(loop, dying.belay);
                } catch (Throwable dead) {
                    // as everything in its process
                }
            });
            dying.awaitDeath();
            asked.clear();
            Belay next = bench.open(PayDesk.model(),
                    builder -> desk.with(loop, builder, noting("b"), noting("a"), new PlanPlugin()));
            assertThat(desk.turn(loop, next).text()).isEqualTo("done: paid 10");
            assertThat(next.session("s").head().orElseThrow().state().text()).contains(
                    "[\"a turn\",\"b turn\",\"a before\",\"b before\",\"a after\",\"b after\"]");
        }
        assertThat(desk.paid).containsExactly(10L);
        assertThat(asked).isEmpty();
    }

    record Old(List<String> steps) {}

    record OldAdd(String step) {}

    record NewAdd(String step, boolean urgent) {}

    private static Old with(Old before, String step) {
        var more = new ArrayList<>(before.steps());
        more.add(step);
        return new Old(more);
    }

    private static final PluginState<Old, OldAdd> OLD = PluginState.of("steps", Old.class, new Old(List.of()),
            OldAdd.class, (before, add) -> with(before, add.step()));
    private static final PluginState<Old, NewAdd> NEWER = PluginState
            .of("steps", Old.class, new Old(List.of()), NewAdd.class,
                    (before, add) -> with(before, add.urgent() + " " + add.step()))
            .version(2, (version, kept) -> kept);

    private static PluginFactory old() {
        return plugin("steps", on -> {
            on.state(OLD);
            on.turn().after((turn, end) -> turn.update(OLD, new OldAdd("by the old one")));
        });
    }

    private static PluginFactory newer() {
        return plugin("steps", on -> {
            on.state(NEWER);
            on.turn().before(turn -> {
                turn.update(NEWER, new NewAdd("look", true));
                return TurnHook.goOn();
            });
        });
    }

    /** The newer build begins a turn and dies after its first round. */
    private static void dies(PluginStores stores, Model model, FakeTime time) throws Exception {
        var dead = new CountDownLatch(1);
        Belay dying = stores.open(model, (moment, write) -> {
            if (moment == JournalProbe.Moment.AFTER && write.equals("effect round/1 COMPLETED")) {
                dead.countDown();
                throw new StackOverflowError("the process dies at " + write);
            }
        }, builder -> builder.plugin(newer()).time(time));
        dying.session(S).turn("Go.").id("in").submit();
        dead.await();
        dying.close();
    }

    private static boolean rests(Belay belay) {
        WaitsFor waits = belay.sessions(null, 9).items().getFirst().waits();
        return waits != null && waits.what() == WaitsFor.For.PLUGIN;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aTurnWhoseRecordedChangesTheOlderBuildCannotReadWaitsForTheNewerOne(String where) throws Exception {
        var time = new FakeTime();
        Model model = new PluginBench().calling();
        try (var stores = new PluginStores(where, folder)) {
            dies(stores, model, time);
            Belay first = stores.open(model,
                    builder -> builder.plugin(old()).time(time));
            until(() -> !first.waitingForPlugins().isEmpty());
            assertThat(first.waitingForPlugins().getFirst().reason())
                    .contains("a change of state steps cannot be read");
            Belay second = stores.open(model,
                    builder -> builder.plugin(newer()).time(time));
            InputHandle input = second.session(S).input("in").orElseThrow();
            until(() -> {
                if (rests(first)) {
                    time.advance(LOOK_AGAIN);
                }
                return input.result().isPresent();
            });
            assertThat(second.session(S).head().orElseThrow().state().text()).contains("[\"true look\"]");
            assertThat(first.stuck()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aResetLetsTheOlderBuildGoOnWithoutWhatItCannotRead(String where) throws Exception {
        var time = new FakeTime();
        Model model = new PluginBench().calling();
        try (var stores = new PluginStores(where, folder)) {
            dies(stores, model, time);
            Belay belay = stores.open(model,
                    builder -> builder.plugin(old()).time(time));
            until(() -> !belay.waitingForPlugins().isEmpty());
            assertThat(belay.resetPlugin(S, "steps")).isEqualTo(VerbResult.DONE);
            assertThat(belay.resetPlugin(S, "steps")).isEqualTo(VerbResult.ALREADY);
            InputHandle input = belay.session(S).input("in").orElseThrow();
            until(() -> rests(belay));
            time.advance(LOOK_AGAIN); // once: hooks have 5 seconds
            until(() -> input.result().isPresent());
            assertThat(belay.session(S).head().orElseThrow().state().text())
                    .contains("\"steps/steps\":{\"v\":1,\"value\":{\"steps\":[\"by the old one\"]}}");
        }
    }
}
