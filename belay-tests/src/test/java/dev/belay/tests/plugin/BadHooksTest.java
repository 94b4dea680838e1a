package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.session.SessionBench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plugins that behave badly in hooks: each fault has a name or is contained, and the session goes on. */
class BadHooksTest {

    private final PluginBench bench = new PluginBench();

    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
        }
    }

    private static String refusal(PluginFactory... plugins) {
        var bench = new PluginBench();
        try (Belay belay = bench.open(bench.calling(), plugins)) {
            belay.session("s").turn("Go.").run();
            return "none";
        } catch (BelayException e) {
            return e.code() + ": " + e.getMessage();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void twoPluginsOfOneIdAreRefused() {
        assertThat(refusal(plugin("a", on -> {}), plugin("a", on -> {}))).startsWith("duplicate_plugin: ");
    }

    @Test
    void aHookThatHangsBeforeATurnEndsIt() throws Exception {
        var time = new FakeTime();
        try (Belay belay = PluginBench.builder()
                .model(bench.calling())
                .time(time)
                .plugin(plugin("hanging", on -> on.turn().before(turn -> {
                    if (turn.turn() == 1) {
                        hang();
                    }
                    return TurnHook.goOn();
                })))
                .build()) {
            var end = (TurnResult.Stopped) time.during(() -> belay.session("s").turn("Go.").run()).ended();
            assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
            assertThat(end.message()).isEqualTo("plugin hanging: it took more than 5 seconds");
            assertThat(time.during(() -> belay.session("s").turn("Go.").run()).ended().text())
                    .isEqualTo("done: nothing");
        }
    }

    @Test
    void aHookAListenerAndATextThatHangAreLeftOut() throws Exception {
        var time = new FakeTime();
        try (Belay belay = PluginBench.builder()
                .model(bench.calling())
                .time(time)
                .listener((session, event) -> bench.hear(event))
                .plugin(plugin("hanging", on -> {
                    on.turn().after((turn, end) -> {
                        turn.emit("late", "lost");
                        hang();
                    });
                    on.session().committed((view, end) -> hang());
                    on.prompt().contribute("slow", Slot.SYSTEM, view -> {
                        hang();
                        return "slow";
                    });
                    on.prompt().contribute("quick", Slot.SYSTEM, view -> "quick");
                }))
                .plugin(plugin("fine",
                        on -> on.turn().after((turn, end) -> turn.emit("ended", end.status()))))
                .build()) {
            assertThat(time.during(() -> belay.session("s").turn("Go.").run()).ended().text())
                    .isEqualTo("done: nothing");
        }
        assertThat(PluginBench.system(bench.requests.getFirst())).isEqualTo("quick");
        assertThat(bench.toldBy(1)).containsExactly("fine ended \"finished\"");
    }

    private TurnResult.Stopped stopped(java.util.function.Consumer<TurnHook.Context> hook) throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("greedy", on -> on.turn().before(turn -> {
            if (turn.turn() == 1) {
                hook.accept(turn);
            }
            return TurnHook.goOn();
        })))) {
            var end = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
            return end;
        }
    }

    @Test
    void anEventOfMoreThan64KiBEndsTheTurn() throws Exception {
        int most = 65_536 - "\"\"".length();
        assertThat(stopped(turn -> turn.emit("long", "x".repeat(most + 1))).message())
                .contains("plugin greedy")
                .contains("65536 characters");
        assertThat(stopped(turn -> {
            turn.emit("long", "x".repeat(most));
            throw new IllegalStateException("the longest event was taken");
        }).message()).contains("the longest event was taken");
    }

    @Test
    void whatIsTooMuchEndsTheTurnAndNamesTheLimit() throws Exception {
        assertThat(stopped(turn -> {
            for (int i = 0; i < 10_000; i++) {
                turn.emit("noise", "event " + i);
            }
        }).message()).contains("plugin greedy").contains("100 events");
        assertThat(stopped(turn -> {
            for (int i = 0; i < 10_000; i++) {
                turn.add(Message.user("more"));
            }
        }).message()).contains("plugin greedy").contains("100 messages");
        assertThat(stopped(turn -> turn.add(Message.user("x".repeat(10_000_000)))).message())
                .contains("65536 characters");
        assertThat(stopped(turn -> {
            turn.startChild("twin", "default", "one");
            turn.startChild("twin", "default", "two");
        }).message()).contains("\"twin\" twice");
    }

    private static String deeper(String text) {
        return text.equals("never") ? text : deeper(text + "x") + text;
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void hooksOfCallsThatOverflowTheirStackFailTheirCall(Loop loop) throws Exception {
        var desk = new PayDesk();
        assertThat(desk.reply(loop, plugin("deep", on -> on.toolCalls()
                .before(call -> BeforeVerdict.reject(deeper(""))))))
                .startsWith("Error (before_hook_failed): ");
        assertThat(desk.paid).isEmpty();
        assertThat(desk.reply(loop, plugin("deep", on -> on.toolCalls()
                .after((call, outcome) -> AfterVerdict.reject(deeper(""))))))
                .startsWith("Error (after_hook_failed): ");
    }

    @Test
    void hooksThatOverflowTheirStackAreHooksThatThrow() throws Exception {
        var end = stopped(turn -> turn.add(Message.user(deeper(""))));
        assertThat(end.message()).contains("plugin greedy", "StackOverflowError");
        assertThat(end.evidence().get("code")).contains(Json.string("turn_hook_failed"));
        try (Belay belay = bench.open(bench.calling(), plugin("deep", on -> {
            on.prompt().contribute("deep", Slot.SYSTEM, view -> deeper(""));
            on.turn().after((turn, ended) -> turn.emit("deep", deeper("")));
            on.session().committed((view, ended) -> deeper(""));
            on.history().view((view, messages) -> List.of(Message.user(deeper(""))));
            on.actions().command("deep", (in, context) -> Json.string(deeper("")));
        }))) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
            assertThatThrownBy(() -> belay.session("s").actions().call("deep", Json.NULL))
                    .hasMessageContaining("StackOverflowError")
                    .extracting("code")
                    .isEqualTo("action_failed");
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
        }
    }

    @Test
    void aContextThatIsUsedAfterItsHookIsReadOnly() throws Exception {
        TurnHook.Context[] kept = new TurnHook.Context[1];
        try (Belay belay = bench.open(bench.calling(), plugin("keeper", on -> on.turn().before(turn -> {
            kept[0] = turn;
            return TurnHook.goOn();
        })))) {
            belay.session("s").turn("Go.").run();
        }
        assertThatThrownBy(() -> kept[0].add(Message.user("late")))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("plugin_state_read_only"));
    }

    @Test
    void hooksCannotBeRegisteredLater() throws Exception {
        PluginRegistrar[] kept = new PluginRegistrar[1];
        try (Belay belay = bench.open(bench.calling(), plugin("keeper", on -> kept[0] = on))) {
            belay.session("s").turn("Go.").run();
        }
        assertThatThrownBy(() -> kept[0].turn().before(turn -> TurnHook.goOn()))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("plugin_registered"));
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void hooksOfTurnsWorkInBothLoops(Loop loop) throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        var desk = new PayDesk();
        try (Belay belay = desk
                .with(loop, PluginBench.builder().model(PayDesk.model()), plugin("watch", on -> {
                    on.turn().before(turn -> {
                        asked.add("before " + turn.round());
                        turn.add(Message.user("Think first."));
                        return TurnHook.goOn();
                    });
                    on.turn().checkpoint((turn, point) -> {
                        if (point == TurnHook.Point.AFTER_WORK) {
                            asked.add(point + " " + turn.round());
                        }
                        return TurnHook.goOn();
                    });
                    on.turn().after((turn, end) -> asked.add("after " + end.status()));
                }))
                .build()) {
            desk.turn(loop, belay);
            assertThat(belay.session("s").messages()).hasSize(5).contains(Message.user("Think first."));
        }
        assertThat(asked).containsExactly("before 1", "AFTER_WORK 2", "after finished");
    }

    @Test
    void anAbortIsThrownByTheStepOfAnOwnLoopAndTheTurnIsCommittedAsStopped() throws Exception {
        try (Belay belay = bench.open(SessionBench.model(request -> SessionBench.text("never")),
                plugin("guard", on -> on.turn().before(turn -> TurnHook.abort("not today"))))) {
            try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
                assertThatThrownBy(() -> turn.step().answer())
                        .isInstanceOfSatisfying(BelayException.class, e -> {
                            assertThat(e.code()).isEqualTo("plugin_abort");
                            assertThat(e).hasMessageContaining("not today");
                        });
            }
            var end = (TurnResult.Stopped) belay.session("s").input("in").orElseThrow().awaitCommit();
            assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
            assertThat(end.message()).isEqualTo("not today");
        }
    }
}
