package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.Session;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tool.context.PluginState;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.5: a state of more than 64 KiB is kept by content, one of more than 1 MiB is refused. */
class LargeStateTest {

    private static final int LARGE = 100_000;

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();
    private PluginStores stores;

    record Text(String value) {}

    record Count(int value) {}

    private static final PluginState<Text, Text> TEXT = PluginState.of("text", Text.class, new Text(""),
            Text.class, (before, after) -> after);
    private static final PluginState<Count, Count> COUNT = PluginState.of("count", Count.class, new Count(0),
            Count.class, (before, more) -> new Count(before.value() + more.value()));

    @AfterEach
    void close() {
        if (stores != null) {
            stores.close();
        }
    }

    /** Keeps a text as long as it is told, and a count beside it. */
    private static PluginFactory keeper() {
        return plugin("keeper", on -> {
            on.state(TEXT);
            on.state(COUNT);
            on.actions().command("fill", Count.class, Count.class, (size, context) -> {
                context.update(TEXT, new Text("é".repeat(size.value())));
                return size;
            });
            on.actions().command("count", Count.class, Count.class, (more, context) -> {
                context.update(COUNT, more);
                return context.get(COUNT);
            });
            on.actions()
                    .query("size", Count.class, Count.class,
                            (in, view) -> new Count(view.get(TEXT).value().length()));
        });
    }

    private Belay open() {
        return stores.open(bench.calling(), builder -> builder.plugin(keeper()));
    }

    private static int size(Session session) throws InterruptedException {
        return session.actions().call("size", new Count(0), Count.class).value();
    }

    private static Json text(Session session) {
        return session.head()
                .flatMap(head -> head.state().get("plugins"))
                .flatMap(plugins -> plugins.get("keeper/text"))
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aLargeStateIsKeptByItsHashAndReadBackInAnotherProcess(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Belay first = open();
        first.session("s").actions().call("fill", new Count(LARGE));
        Json kept = text(first.session("s"));
        assertThat(kept.get("value")).isEmpty();
        assertThat(kept.get("content").orElseThrow().asString()).hasSize(64);
        assertThat(kept.get("size").orElseThrow().asInt()).isEqualTo(2 * LARGE + "{\"value\":\"\"}".length());
        first.session("s").actions().call("count", new Count(1)); // writes a new state, which has the same hash
        assertThat(text(first.session("s"))).isEqualTo(kept);
        first.close();
        Belay second = open();
        assertThat(size(second.session("s"))).isEqualTo(LARGE);
        second.session("s").turn("Hello.").run();
        assertThat(size(second.session("s"))).isEqualTo(LARGE);
        second.session("s").actions().call("fill", new Count(10));
        assertThat(text(second.session("s")).get("value")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aStateOf64KibibytesStandsInItsCommitAndALargerOneIsKeptByItsHash(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Session session = open().session("s");
        int most = (64 * 1024 - "{\"value\":\"\"}".length()) / 2;
        session.actions().call("fill", new Count(most));
        assertThat(text(session).get("value")).isPresent();
        assertThat(text(session).get("content")).isEmpty();
        session.actions().call("fill", new Count(most + 1));
        assertThat(text(session).get("value")).isEmpty();
        assertThat(text(session).get("content")).isPresent();
        assertThat(size(session)).isEqualTo(most + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aForkAndAnImportReadTheLargeStateOfTheirTurn(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Belay belay = open();
        belay.session("s").actions().call("fill", new Count(LARGE));
        belay.session("s").actions().call("fill", new Count(2 * LARGE));
        var lines = new StringBuilder();
        belay.session("s").export(lines);
        Session fork = belay.session("s").fork("fork", 1);
        Session copy = belay.importSession(new StringReader(lines.toString()), "copy");
        belay.session("s").delete();
        assertThat(size(fork)).isEqualTo(LARGE);
        assertThat(size(copy)).isEqualTo(2 * LARGE);
    }

    @Test
    void aLargeStateThatDoesNotChangeIsNotWrittenAgain() throws Exception {
        stores = new PluginStores("memory", folder);
        Belay belay = open();
        belay.session("s").actions().call("fill", new Count(LARGE));
        belay.session("s").turn("Hello.").run();
        belay.session("s").actions().call("fill", new Count(LARGE)); // the same content
        assertThat(belay.session("s").turns(1, 9)).hasSize(3);
        try (var store = new StoreDriver(stores.store())) {
            assertThat(store.turns(belay.session("s").id(), 1, 9))
                    .extracting(turn -> Objects.requireNonNull(turn.end()).state() != null)
                    .containsExactly(true, false, false);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theBoundOfOneMebibyteCountsBytes(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Session session = open().session("s");
        int most = ((1 << 20) - "{\"value\":\"\"}".length()) / 2;
        session.actions().call("fill", new Count(most));
        assertThatThrownBy(() -> session.actions().call("fill", new Count(most + 1)))
                .hasMessageContaining("state keeper/text would have at least 1048578 bytes")
                .hasMessageContaining("it may have 1048576")
                .extracting("code")
                .isEqualTo("action_failed");
        assertThat(size(session)).isEqualTo(most);
    }

    private PluginHarness harness() {
        return PluginHarness.of(LargeStateTest::keeper, bench.calling())
                .command("fill", new Count(LARGE))
                .input("Hello.")
                .command("fill", new Count(LARGE + 1));
    }

    @Test
    void whicheverWriteTheProcessDiesAtALargeStateIsWhole() throws Exception {
        assertThat(harness().verify()).isGreaterThan(10);
    }

    @Test
    void soItIsOnAFile() throws Exception {
        var files = new AtomicInteger();
        assertThat(harness().on(() -> {
            Path file = folder.resolve(files.incrementAndGet() + ".db");
            return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
        }).verify()).isGreaterThan(10);
    }
}
