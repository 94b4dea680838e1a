package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.OpenWait.Kind;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Fence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.5: a recorded journal is read. The file was recorded by {@link GoldenRecorder} and is kept as SQL; it is never edited.
 */
class GoldenJournalTest {

    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");

    @TempDir
    Path directory;

    private @Nullable StoreDriver opened;

    @BeforeEach
    void loadTheFile() throws IOException, SQLException {
        Path file = directory.resolve("belay.db");
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream("golden-4-journal.sql"))) {
            Sample.execute(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        opened = new StoreDriver(JdbcStore.sqlite(file));
    }

    @AfterEach
    void closeTheFile() {
        journal().close();
    }

    private StoreDriver journal() {
        return Objects.requireNonNull(opened);
    }

    private ScopeState state(String scope) {
        return journal().state(new ScopeId(scope)).orElseThrow();
    }

    private static ScopeInput input(String json) {
        return new ScopeInput("batch@1", Json.of(json));
    }

    @Test
    void scopesAreRead() {
        assertThat(state("ended")).isEqualTo(new ScopeState(new ScopeId("ended"), input("{\"calls\":[1,2]}"),
                Status.ENDED, new Fence(1), 0, null, null, null, Json.of("{\"outcomes\":[]}")));
        assertThat(state("ended").input().value().text()).isEqualTo("{\"calls\": [1, 2]}");
        assertThat(state("parked"))
                .isEqualTo(new ScopeState(new ScopeId("parked"), input("{}"), Status.PARKED,
                        new Fence(1), 0, null, Instant.parse("2026-11-15T10:01:00.000001500Z"), null, null));
        assertThat(journal().stuck()).containsExactly(new ScopeState(new ScopeId("stuck"), input("[]"),
                Status.STUCK, new Fence(1), 0, null, null, "replay_mismatch: another tool", null));
        assertThat(state("ready")).isEqualTo(new ScopeState(new ScopeId("ready"), input("1"), Status.READY,
                new Fence(0), 0, "no longer needed", null, null, null));
        assertThat(state("running").status()).isEqualTo(Status.RUNNING);
    }

    @Test
    void recordsAreRead() {
        assertThat(journal().effects(new ScopeId("ended"))).containsExactlyInAnyOrder(
                row(0, EffectRow.Status.COMPLETED, "{\"amount\":12.50}", "{\"ok\":\"größer\"}",
                        ToolEffect.READ,
                        null),
                row(1, EffectRow.Status.IN_DOUBT, "{\"amount\":7}",
                        "{\"kind\":\"EXECUTION\",\"code\":\"in_doubt\"}", ToolEffect.ONCE, "account:7"),
                row(2, EffectRow.Status.FAILED, null, "{\"kind\":\"IO\"}", null, null),
                row(3, EffectRow.Status.COMPLETED, null, "\"" + "x".repeat(70_000) + "\"",
                        ToolEffect.IDEMPOTENT, null));
        assertThat(journal().lateResults(new ScopeId("ended"))).containsExactly(new LateResult(
                new EffectKey("call/1/attempt/1"), Json.of("{\"ok\":7}"), START.plusSeconds(9)));
    }

    private static EffectRow row(int n, EffectRow.Status status, @Nullable String input, String result,
            @Nullable ToolEffect effect, @Nullable String resource) {
        return new EffectRow("call/" + n + "/attempt/1", n, "attempt", "ab".repeat(32),
                Json.of("{\"tool\":\"tool:pay\",\"position\":" + n + "}"), status,
                input == null ? null : Json.of(input), Json.of(result), "cd".repeat(32), effect, resource, 1);
    }

    @Test
    void waitsAreRead() {
        assertThat(journal().waits(new ScopeId("parked"))).containsExactlyInAnyOrder(
                new WaitState(new WaitName("call/0/completion"), Kind.COMPLETION, START.plusSeconds(3600),
                        "ask a person", true, null),
                new WaitState(new WaitName("call/0/early"), Kind.COMPLETION, null, null, false,
                        Resolution.ok(Json.of("{\"paid\":true}"))),
                new WaitState(new WaitName("call/1/event"), Kind.EVENT, null, null, true, null));
        assertThat(journal().nextDue()).contains(Instant.parse("2026-11-15T10:01:00.000001500Z"));
    }

    @Test
    void secretsAreRead() {
        assertThat(journal().currentSecret().id()).isEqualTo(3);
        assertThat(journal().currentSecret().bytes()).isEqualTo(HexFormat.of()
                .parseHex("c26fd750ab1c9ea73c57c7e311a6785a9d895aca64c422fefff25866004d93e1"));
        assertThat(journal().secret(1)).isPresent();
        assertThat(journal().secret(2)).isEmpty();
    }

    @Test
    void workGoesOn() {
        assertThat(journal().takeReady(10, 5, START)).extracting(claim -> claim.scope().value())
                .containsExactlyInAnyOrder("running", "ready");
        Claim parked = journal().takeDue(10, START.plusSeconds(61)).get(0);
        assertThat(parked.scope()).isEqualTo(new ScopeId("parked"));
        assertThat(parked.incarnation()).hasToString("9ea00ed4cecb987fbf1efa6f9bd2d559");
        assertThat(parked.secret()).isOne();
        assertThat(parked.fence()).isEqualTo(2);
        assertThat(journal().take(parked, "account:9", "call/0/attempt/1", START).resourceFence())
                .isEqualTo(2);
        assertThat(journal().take(parked, "account:7", "call/0/attempt/1", START).resourceFence())
                .isEqualTo(2);
        Sample.write(journal(), parked, 1);
        assertThat(journal().cancel(new ScopeId("ended"), "too late", false, START).receipt())
                .isEqualTo(new CancelReceipt.AlreadyEnded(Json.of("{\"outcomes\":[]}")));
    }
}
