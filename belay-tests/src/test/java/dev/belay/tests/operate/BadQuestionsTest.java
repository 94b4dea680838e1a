package dev.belay.tests.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.Pause.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract V.7 and V.8: what an operator asks for in a wrong way is refused in words, alike on both stores. */
class BadQuestionsTest {

    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of("."));

    @AfterEach
    void close() {
        bench.close();
    }

    private BelayClient client(String where) throws InterruptedException {
        bench = new OperatorBench(where, folder);
        bench.worker().session("s").turn("Hello.").run();
        return bench.client();
    }

    private static final Map<String, BiFunction<BelayClient, Integer, Object>> LISTS = Map.of(
            "sessions", (client, most) -> client.sessions(null, most),
            "filtered", (client, most) -> client.sessions(SessionFilter.ALL.prefix("s"), null, most),
            "pending", (client, most) -> client.pending(null, most),
            "stuck", (client, most) -> client.stuck(null, most),
            "stuck batches", (client, most) -> client.stuckCalls(null, most),
            "stuck processes", (client, most) -> client.processes().stuck(null, most),
            "processes", (client, most) -> client.processes().list(0, most),
            "open turns", (client, most) -> client.openTurns(null, most),
            "approvals", (client, most) -> client.approvals().open(null, most),
            "audit", (client, most) -> client.audit(0, most));

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void pageOfLessThanNothingIsRefused(String where) throws Exception {
        BelayClient client = client(where);
        LISTS.forEach((name, list) -> {
            for (int most : List.of(-1, Integer.MIN_VALUE)) {
                assertThatThrownBy(() -> list.apply(client, most), name)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Integer.toString(most));
            }
            assertThat(list.apply(client, Integer.MAX_VALUE)).as(name).isNotNull();
        });
        assertThatThrownBy(() -> client.doubts().open(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void cursorThatNoPageGaveBeginsSomewhereAndHarmsNothing(String where) throws Exception {
        BelayClient client = client(where);
        for (String cursor : List.of("nowhere", "\uD83D\uDE00", "x".repeat(200))) {
            assertThat(client.sessions(cursor, 9).next()).isNull();
            assertThat(client.pending(cursor, 9).items()).isEmpty();
            assertThat(client.stuckCalls(cursor, 9).items()).isEmpty();
        }
        assertThatThrownBy(() -> client.stuckCalls("\u0000", 9)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no control characters");
        client.session("s").labels(Map.of("team", "billing"));
        assertThat(client.audit(Long.MAX_VALUE, 9)).isEmpty();
        assertThat(client.audit(Long.MIN_VALUE, 9)).hasSize(1);
        assertThat(client.doubts().open(Long.MAX_VALUE, 9)).isEmpty();
        assertThat(client.doubts().open(Long.MIN_VALUE, 9)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void verbsAboutWhatIsNotThereAreNotPossibleAndLeaveNoRow(String where) throws Exception {
        BelayClient client = client(where);
        List<Function<BelayClient, VerbResult>> verbs = List.of(
                c -> c.abandon(new SessionId("none"), 1, "no"),
                c -> c.abandon(new SessionId("s"), 7, "no"),
                c -> c.session("none").cancel("no"),
                c -> c.session("none").withdraw("in"),
                c -> c.session("none").close(),
                c -> c.session("none").open(),
                c -> c.session("none").labels(Map.of("a", "b")),
                c -> c.session("none").config().agent("lawyer"),
                c -> c.pause(Target.session("none"), "no"),
                c -> c.doubts().happened("none", Json.TRUE, "no"),
                c -> c.doubts().didNotHappen("none", "no"),
                c -> c.doubts().ask("none"),
                c -> c.calls().retry("none"),
                c -> c.calls().abandon("none", "no"),
                c -> c.processes().retry(new ProcessId("none")),
                c -> c.processes().abandon(new ProcessId("none"), "no"),
                c -> c.processes().cancel(new ProcessId("none"), "no"),
                c -> c.session("none").grants().revoke("none"));
        for (int i = 0; i < verbs.size(); i++) {
            assertThat(verbs.get(i).apply(client)).as("verb " + i)
                    .isInstanceOfSatisfying(VerbResult.NotPossible.class,
                            no -> assertThat(no.reason()).isNotBlank());
        }
        assertThat(client.audit(0, 9)).isEmpty();
    }
}
