package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.UnrestoredPlugin;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.context.PluginState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.10: a plugin that cannot read what was kept for it lets its session wait. */
class UnrestoredPluginTest {

    private static final SessionId S = new SessionId("s");
    /** So many entries without a record make other turns stuck. */
    private static final int MOST_ENTRIES = 5;

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();
    private final FakeTime time = new FakeTime();
    private PluginStores stores;

    record Count(int value) {}

    record Word(String value) {}

    @AfterEach
    void close() {
        stores.close();
    }

    /** A build of a plugin that counts. */
    private static PluginFactory counter(PluginState<Count, Count> state) {
        return PluginBench.plugin("counter", on -> {
            on.state(state);
            on.actions().command("count", Count.class, Count.class, (more, context) -> {
                context.update(state, more);
                return context.get(state);
            });
        });
    }

    private static PluginFactory old() {
        return counter(state());
    }

    private static PluginFactory newer() {
        return counter(state().version(2, (version, kept) -> kept));
    }

    private static PluginState<Count, Count> state() {
        return PluginState.of("count", Count.class, new Count(0), Count.class,
                (before, more) -> new Count(before.value() + more.value()));
    }

    /** The same plugin and state with another type of value: what was kept is garbage to it. */
    private static PluginFactory other() {
        return PluginBench.plugin("counter",
                on -> on.state(PluginState.of("count", Word.class, new Word(""), Word.class,
                        (before, after) -> after)));
    }

    private Belay open(PluginFactory plugin) {
        return stores.open(bench.calling(), builder -> builder.plugin(plugin).time(time));
    }

    /** A session whose counter was changed by a build. */
    private void counted(String where, PluginFactory by) throws Exception {
        stores = new PluginStores(where, folder);
        try (Belay belay = open(by)) {
            belay.session(S).actions().call("count", new Count(3));
        }
    }

    private void awaitRefusal(Belay belay) {
        until(() -> !belay.waitingForPlugins().isEmpty());
    }

    private void goOn() {
        time.advance(Duration.ofSeconds(6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aNewerVersionLetsTheTurnWaitUncountedAndNamesPluginAndVersions(String where) throws Exception {
        counted(where, newer());
        Belay belay = open(old());
        InputHandle given = belay.session(S).turn("Hello.").submit();
        awaitRefusal(belay);
        UnrestoredPlugin waits = belay.waitingForPlugins().getFirst();
        assertThat(waits.plugin()).isEqualTo("counter");
        assertThat(waits.turn()).isEqualTo(2);
        assertThat(waits.reason()).contains("this program knows version 1, kept was version 2");
        assertThat(belay.waitingFor()).containsOnlyKeys("plugin counter");
        assertThat(given.result()).isEmpty();
        assertThat(bench.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aTurnThatIsRefusedMoreOftenThanAScopeMayFailIsNotStuck(String where) throws Exception {
        counted(where, old());
        var refusals = new AtomicInteger();
        Belay belay = open(counter(state().version(2, (version, kept) -> {
            refusals.incrementAndGet();
            throw new IllegalStateException("no way from version " + version);
        })));
        InputHandle given = belay.session(S).turn("Hello.").submit();
        until(() -> {
            goOn();
            return refusals.get() > 3 * MOST_ENTRIES;
        });
        assertThat(belay.stuck()).isEmpty();
        assertThat(given.result()).isEmpty();
        assertThat(bench.requests).isEmpty();
        assertThat(belay.waitingForPlugins().getFirst().reason()).contains("no way from version 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anUpgradeThatCannotBeLinkedLetsTheTurnWait(String where) throws Exception {
        counted(where, old());
        Belay belay = open(counter(state().version(2, (version, kept) -> {
            throw new NoClassDefFoundError("com/example/Codec");
        })));
        InputHandle given = belay.session(S).turn("Hello.").submit();
        awaitRefusal(belay);
        assertThat(belay.waitingForPlugins().getFirst().reason()).contains("com/example/Codec");
        assertThat(belay.stuck()).isEmpty();
        assertThat(given.result()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aLoopOfAProgramsOwnIsToldWhichPluginCannotBeRestoredAndGoesOnWithAnotherBuild(String where)
            throws Exception {
        counted(where, newer());
        Belay first = open(old());
        for (int i = 0; i < 2 * MOST_ENTRIES; i++) {
            assertThatThrownBy(() -> first.session(S).begin("Mine.", "in").step().answer())
                    .hasMessageContaining("plugin counter")
                    .hasMessageContaining("this program knows version 1, kept was version 2");
        }
        assertThat(first.stuck()).isEmpty();
        first.close();
        try (OpenTurn turn = open(newer()).session(S).begin("Mine.", "in")) {
            turn.step().answer();
            assertThat(turn.finish().text()).isEqualTo("done: nothing");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anotherBuildOnTheSameStoreRunsTheTurn(String where) throws Exception {
        counted(where, newer());
        Belay first = open(old());
        InputHandle given = first.session(S).turn("Hello.").submit();
        awaitRefusal(first);
        Belay second = open(newer());
        until(() -> {
            goOn();
            return given.result().isPresent();
        });
        assertThat(first.waitingFor()).isEmpty();
        assertThat(second.session(S).actions().call("count", new Count(1), Count.class))
                .isEqualTo(new Count(4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void clientsStillReadTheSessionAndAnotherSessionGoesOn(String where) throws Exception {
        counted(where, old());
        Belay belay = open(other());
        belay.session(S).turn("Hello.").submit();
        awaitRefusal(belay);
        assertThat(belay.session("t").turn("Hello.").run().ended().text()).startsWith("done");
        BelayClient client = stores.client();
        assertThat(client.session(S).turns(1, 9)).hasSize(2);
        until(() -> {
            var waits = client.sessions(null, 9).items().getFirst().waits();
            return waits != null && waits.what() == WaitsFor.For.PLUGIN
                    && waits.detail().contains("plugin counter");
        });
        assertThatThrownBy(() -> belay.session(S).begin("Mine.", "mine")).extracting("code")
                .isEqualTo("session_busy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aResetLetsTheTurnGoOnFromTheBeginningAndIsAudited(String where) throws Exception {
        counted(where, newer());
        Belay belay = open(old());
        InputHandle given = belay.session(S).turn("Hello.").submit();
        awaitRefusal(belay);
        BelayClient operator = stores.client().as(new Actor("anna", "test"));
        assertThat(operator.resetPlugin(S, "counter")).isEqualTo(VerbResult.DONE);
        assertThat(operator.resetPlugin(S, "counter")).isEqualTo(VerbResult.ALREADY);
        assertThat(operator.resetPlugin(new SessionId("none"), "counter"))
                .isInstanceOf(VerbResult.NotPossible.class);
        assertThat(operator.audit(0, 9)).extracting(entry -> entry.note().by().name() + " "
                + entry.note().verb() + " " + entry.note().target())
                .containsExactly("anna reset plugin s/counter");
        until(() -> {
            goOn();
            return given.result().isPresent();
        });
        assertThat(given.await(PATIENCE).orElseThrow().ended().text()).startsWith("done");
        assertThat(belay.waitingFor()).isEmpty();
        assertThat(belay.session(S).actions().call("count", new Count(1), Count.class))
                .isEqualTo(new Count(1));
        assertThat(operator.resetPlugin(S, "other")).isEqualTo(VerbResult.ALREADY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aResetOfAPluginThatIsWellCountsOnceWithTheNextCommand(String where) throws Exception {
        counted(where, old());
        Belay belay = open(old());
        assertThat(belay.resetPlugin(S, "counter")).isEqualTo(VerbResult.DONE);
        assertThat(belay.session(S).actions().call("count", new Count(1), Count.class))
                .isEqualTo(new Count(1));
        assertThat(belay.session(S).actions().call("count", new Count(1), Count.class))
                .isEqualTo(new Count(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void anUpgradeReadsWhatAnOlderBuildHasKept(String where) throws Exception {
        counted(where, old());
        Belay belay = open(counter(state().version(2,
                (version, kept) -> Json
                        .of("{\"value\":" + (kept.get("value").orElseThrow().asInt() * 10) + "}"))));
        assertThat(belay.session(S).actions().call("count", new Count(1), Count.class))
                .isEqualTo(new Count(31));
    }
}
