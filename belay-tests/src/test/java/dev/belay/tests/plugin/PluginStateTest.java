package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.Slot;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tests.plugin.PlanPlugin.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

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
            belay.session("s").fork("t", 1).turn("From one.").run();
        }
        assertThat(steps(4)).contains("[one]").doesNotContain("[one, one]");
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

    @Test
    void aContributionCannotChangeAState() throws Exception {
        var hook = new dev.belay.runtime.plugin.HookContext[1];
        var meddler = plugin("meddler", on -> {
            on.toolCalls().before(call -> {
                hook[0] = call;
                return dev.belay.runtime.plugin.BeforeVerdict.proceed();
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
