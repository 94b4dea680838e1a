package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.plugin.PlanPlugin.Change.Add;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract O.11: whichever write a process dies at, a command is applied once and has one result. */
class ActionCrashTest {

    private static final CallPart ONE = new CallPart("a", "add_step", "{\"step\":\"one\"}");

    private final PluginBench bench = new PluginBench();

    private PluginHarness harness() {
        return PluginHarness.of(PlanPlugin::new, bench.calling(List.of(ONE)))
                .command("plan.add", new Add("first"))
                .inputWithCommand("Plan it.", "plan.add", new Add("second"))
                .command("plan.add", new Add("last"));
    }

    @Test
    void aCommandIsAppliedOnceWithATurnAndWithout() throws Exception {
        assertThat(harness().verify()).isGreaterThan(20);
    }

    @Test
    void soItIsOnAFile(@TempDir Path folder) throws Exception {
        var files = new AtomicInteger();
        int kills = harness().on(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }).verify();
        assertThat(kills).isGreaterThan(20);
    }
}
