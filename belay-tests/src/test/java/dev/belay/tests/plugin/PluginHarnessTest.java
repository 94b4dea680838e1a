package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.ModelException;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.Slot;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract O.5: whichever write a process dies at, the state is changed once. */
class PluginHarnessTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");
    private static final CallPart PLAN = new CallPart("p", "update_plan",
            "{\"steps\":[{\"text\":\"look\",\"status\":\"DONE\"}]}");
    private static final CallPart TWO = new CallPart("b", "add_step", "{\"step\":\"two\"}");

    private final PluginBench bench = new PluginBench();

    @Test
    void aKilledTurnChangesTheStateOnce() throws Exception {
        int kills = PluginHarness.of(PlanPlugin::new, bench.calling(List.of(ONE, TWO), List.of(ONE)))
                .input("Add it.")
                .input("And again.")
                .verify();
        assertThat(kills).isGreaterThan(20);
    }

    /** The shipped plugin: the plan is called for in each turn, and cleared between them. */
    private PluginHarness plan() {
        return PluginHarness.of(dev.belay.plugins.PlanPlugin::new, bench.calling(List.of(PLAN)))
                .input("Plan it.")
                .command("plan.clear", Nothing.NOTHING)
                .input("And again.");
    }

    @Test
    void aKilledTurnWithUpdatePlanEndsWithTheNewPlan() throws Exception {
        assertThat(plan().verify()).isGreaterThan(20);
        assertThat(bench.requests.getLast().messages().getLast().toString()).contains("- [done] look");
    }

    @Test
    void soItDoesOnAFile(@TempDir Path folder) throws Exception {
        var files = new AtomicInteger();
        int kills = plan().on(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }).verify();
        assertThat(kills).isGreaterThan(20);
    }

    @Test
    void aPluginThatCountsInAFieldFails() {
        var harness = PluginHarness.of(PluginHarnessTest::counting, bench.calling(List.of(ONE)))
                .with(builder -> builder.plugin(new PlanPlugin()))
                .input("Plan it.");
        assertThatThrownBy(harness::verify).isInstanceOf(AssertionError.class)
                .hasMessageContaining("plugin counting, killed at")
                .hasMessageContaining("belongs into a PluginState");
    }

    @Test
    void turnsOfWhichNoneFinishesWithoutACrashShowNothing() {
        var harness = PluginHarness.of(PlanPlugin::new, SessionBench.model(request -> {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST, "no");
        })).input("Add it.");
        assertThatThrownBy(harness::verify).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no turn finishes without a crash");
    }

    /** Counts its questions in a field, and lets the model see that. */
    private static PluginFactory counting() {
        var count = new AtomicInteger();
        return PluginBench.plugin("counting", on -> {
            on.prompt().contribute("count", Slot.SYSTEM, view -> "Question " + count.incrementAndGet());
            on.toolCalls()
                    .after((call, outcome) -> dev.belay.runtime.plugin.AfterVerdict
                            .complete(dev.belay.json.Json.string("after " + count.get() + " questions")));
        });
    }
}
