package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.SessionId;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.session.SessionBench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Contract O.7: hooks before, within and after a turn. */
class TurnHooksTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");

    private final PluginBench bench = new PluginBench();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Test
    void eachPointOfATurnIsAskedOnceInItsOrder() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin(), plugin("watch", on -> {
            on.turn().before(turn -> {
                asked.add("before " + turn.round() + " of " + turn.messages().size());
                return TurnHook.goOn();
            });
            on.turn().checkpoint((turn, point) -> {
                asked.add(point + " " + turn.round() + " of " + turn.messages().size());
                return TurnHook.goOn();
            });
            on.turn()
                    .after((turn, end) -> asked.add("after " + turn.round() + " " + end.status() + " "
                            + end.summary() + " " + end.rounds() + " " + end.usage().total().orElse(0)));
        }))) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(asked).containsExactly("before 1 of 1", "AFTER_WORK 2 of 3", "BEFORE_COMPLETION 2 of 4",
                "after 2 finished done: added as number 1 2 25");
    }

    @Test
    void messagesOfHooksAreInTheConversationAndStay() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin(), plugin("coach", on -> {
            on.turn().before(turn -> {
                turn.add(Message.user("Think first."));
                return TurnHook.goOn();
            });
            on.turn().checkpoint((turn, point) -> {
                if (point == TurnHook.Point.AFTER_WORK) {
                    turn.add(Message.user("Well done."));
                }
                return TurnHook.goOn();
            });
        }))) {
            belay.session("s").turn("Plan it.").run();
            List<Message> messages = belay.session("s").messages();
            assertThat(messages).hasSize(6);
            assertThat(messages.get(1)).isEqualTo(Message.user("Think first."));
            assertThat(messages.get(4)).isEqualTo(Message.user("Well done."));
        }
        assertThat(bench.requests.get(0).messages().get(1)).isEqualTo(Message.user("Think first."));
    }

    @Test
    void theCheckpointBeforeTheEndLetsTheTurnGoOn() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("strict", on -> on.turn()
                .checkpoint((turn, point) -> {
                    asked.add(point + " " + turn.round());
                    if (turn.round() == 1) {
                        turn.add(Message.user("Are you sure?"));
                    }
                    return TurnHook.goOn();
                })))) {
            TurnResult.Ended result = belay.session("s").turn("Answer.").run().ended();
            assertThat(result.rounds()).isEqualTo(2);
            assertThat(belay.session("s").messages()).containsExactly(Message.user("Answer."),
                    Message.assistant("done: nothing"), Message.user("Are you sure?"),
                    Message.assistant("done: nothing"));
        }
        assertThat(asked).containsExactly("BEFORE_COMPLETION 1", "BEFORE_COMPLETION 2");
    }

    @Test
    void aTurnThatHooksNeverLetEndStopsAtItsBound() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("never", on -> on.turn()
                .checkpoint((turn, point) -> {
                    turn.add(Message.user("Once more."));
                    return TurnHook.goOn();
                })))) {
            TurnResult.Ended result = belay.session("s").turn("Answer.").run().ended();
            assertThat(result).isInstanceOf(TurnResult.Stopped.class);
            assertThat(((TurnResult.Stopped) result).cause()).isEqualTo(TurnEnd.Cause.MAX_ROUNDS);
        }
    }

    @Test
    void anAbortStopsTheTurnWithItsWordsAtEachPoint() throws Exception {
        for (String where : List.of("before", "AFTER_WORK", "BEFORE_COMPLETION")) {
            try (Belay belay = bench.open(bench.calling(List.of(ONE)), new PlanPlugin(),
                    plugin("guard", on -> {
                        on.turn().before(turn -> {
                            turn.update(PlanPlugin.STEPS, new Change.Add("guarded"));
                            return where.equals("before") ? TurnHook.abort("not today") : TurnHook.goOn();
                        });
                        on.turn()
                                .checkpoint((turn, point) -> point.name().equals(where)
                                        ? TurnHook.abort("not today")
                                        : TurnHook.goOn());
                    }), plugin("later", on -> on.turn().before(turn -> {
                        asked.add(where);
                        return TurnHook.goOn();
                    })))) {
                TurnResult.Ended result = belay.session("s").turn("Plan it.").run().ended();
                assertThat(result).as(where).isInstanceOf(TurnResult.Stopped.class);
                var stopped = (TurnResult.Stopped) result;
                assertThat(stopped.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
                assertThat(stopped.message()).isEqualTo("not today");
                assertThat(stopped.evidence().text()).contains("\"plugin\":\"guard\"");
                bench.requests.clear();
                belay.session("s").turn("And now?").run(); // the session is usable, and the state of the hook counts
                assertThat(belay.session("s").head().orElseThrow().state().text()).contains("guarded");
            }
        }
        assertThat(asked).containsOnly("AFTER_WORK", "BEFORE_COMPLETION");
    }

    @Test
    void aHookThatThrowsOrReturnsNullEndsTheTurnAndIsNamed() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("broken", on -> on.turn().before(turn -> {
            if (turn.turn() == 1) {
                throw new IllegalStateException("no disk");
            }
            return turn.turn() == 2 ? null : TurnHook.goOn();
        })))) {
            var thrown = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(thrown.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
            assertThat(thrown.message()).isEqualTo("plugin broken: no disk");
            assertThat(thrown.evidence().text()).contains("turn_hook_failed");
            var none = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(none.message()).isEqualTo("plugin broken: the hook returned null");
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
        }
    }

    @Test
    void statesAndEventsOfHooksCountAndThePromptSeesThem() throws Exception {
        try (Belay belay = bench.open(bench.calling(), new PlanPlugin(), plugin("starter", on -> {
            on.turn().before(turn -> {
                turn.update(PlanPlugin.STEPS, new Change.Add("zero"));
                turn.emit("started", "hello");
                return TurnHook.goOn();
            });
            on.turn().before(turn -> {
                asked.add(turn.get(PlanPlugin.STEPS).toString());
                return TurnHook.goOn();
            });
            on.turn().after((turn, end) -> {
                turn.update(PlanPlugin.STEPS, new Change.Add("last"));
                turn.emit("ended", turn.get(PlanPlugin.STEPS));
            });
            on.prompt().contribute("plan", Slot.SYSTEM, view -> view.get(PlanPlugin.STEPS).toString());
        }))) {
            belay.session("s").turn("Go.").run();
            belay.session("s").turn("Again.").run();
        }
        assertThat(PluginBench.system(bench.requests.get(0))).isEqualTo("Steps[steps=[zero]]");
        assertThat(PluginBench.system(bench.requests.get(1))).isEqualTo("Steps[steps=[zero, last, zero]]");
        assertThat(asked).containsExactly("Steps[steps=[zero]]", "Steps[steps=[zero, last, zero]]");
        assertThat(bench.toldBy(2)).containsExactly("starter started \"hello\"",
                "starter ended {\"steps\":[\"zero\",\"last\"]}", "starter started \"hello\"",
                "starter ended {\"steps\":[\"zero\",\"last\",\"zero\",\"last\"]}");
    }

    @Test
    void messagesAfterTheEndAreOneQueuedInputOfEachPlugin() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("more", on -> on.turn().after((turn, end) -> {
            if (turn.turn() == 1) {
                turn.add(Message.user("Go on"));
                turn.add(Message.user("please."));
            }
        })))) {
            belay.session("s").turn("Go.").run();
            TurnResult.Ended next = belay.session("s").input("plugin/more/1").orElseThrow().awaitCommit();
            assertThat(next.turn()).isEqualTo(2);
            assertThat(belay.session("s").messages().get(2)).isInstanceOf(Message.UserMessage.class);
            assertThat(((Message.UserMessage) belay.session("s").messages().get(2)).text())
                    .isEqualTo("Go on\n\nplease.");
        }
    }

    @Test
    void aHookAfterTheEndThatFailsIsLeftOutAndTheOthersCount() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("broken", on -> on.turn().after((turn, end) -> {
            turn.emit("broken", "lost");
            throw new IllegalStateException("no");
        })), plugin("fine", on -> on.turn().after((turn, end) -> turn.emit("fine", end.status()))))) {
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
        }
        assertThat(bench.toldBy(1)).containsExactly("fine fine \"finished\"");
    }

    @Test
    void aChildOfAHookIsStartedOnceUnderADerivedId() throws Exception {
        try (Belay belay = PluginBench.builder()
                .model(bench.calling())
                .agent("helper", agent -> agent.model(SessionBench.model(request -> SessionBench
                        .text("helped with " + request.messages().getLast())))
                        .plugins(
                                dev.belay.runtime.plugin.PluginStack.empty()))
                .plugin(plugin("starter", on -> {
                    on.turn().before(turn -> {
                        turn.startChild("early", "helper", "Look around.");
                        return TurnHook.goOn();
                    });
                    on.turn().after((turn, end) -> turn.startChild("late", "helper", "Tidy up."));
                }))
                .build()) {
            belay.session("s").turn("Go.").run();
            List<SessionId> children = belay.sessions(null, 10)
                    .items()
                    .stream()
                    .map(entry -> entry.head().id())
                    .filter(id -> id.value().startsWith("child-"))
                    .toList();
            assertThat(children).hasSize(2);
            for (SessionId child : children) {
                assertThat(belay.session(child).input("start").orElseThrow().awaitCommit().text())
                        .startsWith("helped with");
            }
        }
    }

    @Test
    void aChildOfAnUnknownAgentEndsTheTurnAndNamesThoseThereAre() throws Exception {
        try (Belay belay = bench.open(bench.calling(), plugin("starter", on -> on.turn().before(turn -> {
            turn.startChild("early", "nobody", "Look around.");
            return TurnHook.goOn();
        })))) {
            var end = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(end.message())
                    .contains("plugin starter cannot start child \"early\": there is no agent")
                    .contains("[default]");
        }
    }

    @Test
    void listenersAreToldAfterTheCommitAndMayFail() throws Exception {
        try (Belay belay = bench.open(bench.calling(), new PlanPlugin(), plugin("broken", on -> on.session()
                .committed((view, end) -> {
                    throw new IllegalStateException("no");
                })), plugin("fine", on -> on.session()
                        .committed((view, end) -> asked.add(view.turn() + " " + end.status() + " "
                                + view.get(PlanPlugin.STEPS)))))) {
            belay.session("s").turn("Go.").run();
        }
        assertThat(asked).containsExactly("1 finished Steps[steps=[]]");
    }
}
