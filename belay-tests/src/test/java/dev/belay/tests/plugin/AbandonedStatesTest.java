package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.SessionId;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.plugin.PayDesk.PayTools;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tests.plugin.PlanPlugin.Steps;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import dev.belay.toolset.Step;
import dev.belay.toolset.Toolset;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.5, O.7 and H.8: a turn that is abandoned keeps what its records have changed, and asks no hook. */
class AbandonedStatesTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");
    private static final CallPart ASK = new CallPart("b", "ask", "{}");

    @TempDir
    Path folder;

    private final List<String> ended = new CopyOnWriteArrayList<>();

    /** Adds what it sees to the plan, at every point of a turn. */
    private PluginFactory noting() {
        return plugin("noting", on -> {
            on.turn().before(turn -> {
                turn.update(PlanPlugin.STEPS, new Change.Add("turn"));
                return TurnHook.goOn();
            });
            on.toolCalls().before(call -> {
                call.update(PlanPlugin.STEPS, new Change.Add("before " + call.tool().name()));
                return BeforeVerdict.proceed();
            });
            on.toolCalls().after((call, outcome) -> {
                call.update(PlanPlugin.STEPS, new Change.Add("after " + call.tool().name()));
                return AfterVerdict.keep();
            });
            on.turn().after((turn, end) -> ended.add(end.status()));
        });
    }

    private static List<String> steps(Belay belay) throws InterruptedException {
        return belay.session("s").actions().call("plan.show", Nothing.NOTHING, Steps.class).steps();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theChangesOfHooksAndOfCallsThatSucceededCountAndAParkedBodysDoNot(String where) throws Exception {
        BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(new PluginBench().calling(List.of(ONE), List.of(ONE, ASK)),
                    builder -> builder.plugin(new PlanPlugin())
                            .plugin(noting())
                            .tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT)));
            belay.session("s").turn("Go.").submit();
            assertThat(tokens.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            var client = stores.client();
            until(() -> client.abandon(new SessionId("s"), 1, "no answer").equals(VerbResult.DONE));
            assertThat(steps(belay)).containsExactly("turn", "before add_step", "one", "after add_step",
                    "before add_step", "one", "after add_step", "before ask");
            assertThat(ended).as("hooks after the turn").isEmpty();
            belay.session("s").turn("And now?").run();
            assertThat(steps(belay)).hasSize(9).endsWith("turn");
        }
    }

    @Test
    void soTheyDoInALoopOfAProgramsOwn() throws Exception {
        var desk = new PayDesk();
        try (Belay belay = desk.with(Loop.HOSTED, Belay.builder().model(PayDesk.model()), new PlanPlugin(),
                noting()).build()) {
            try (OpenTurn turn = belay.session("s").begin("Pay.", "in")) {
                if (turn.step()
                        .tools(Toolset.of(PayTools.class))
                        .run() instanceof Step.NeedsTools<PayTools, String>(var round)) {
                    round.commit(round.calls().stream().map(desk.answer).toList());
                }
                turn.abandon("the program gives up");
            }
            assertThat(steps(belay)).containsExactly("turn", "before pay", "after pay");
        }
        assertThat(desk.paid).containsExactly(100L);
        assertThat(ended).isEmpty();
    }
}
