package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Issue: a damaged file is read as it was written or refused, never read silently wrong; what is not damaged goes on. */
class DamagedFileTest {

    private static final int SESSIONS = 6;
    private static final int TURNS = 8;
    /** Copies of the file, each damaged at another place. */
    private static final int DAMAGES = 160;

    @TempDir
    Path directory;

    private static SessionId session(int n) {
        return new SessionId("session-" + n);
    }

    private static Incarnation incarnation(int n) {
        return new Incarnation(0xda3a9e, n);
    }

    /** Some sessions with turns, calls and an input that waits, and a parked scope with records and waits. */
    private Path written() {
        Path file = directory.resolve("whole.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            for (int n = 0; n < SESSIONS; n++) {
                for (long turn = 1; turn <= TURNS; turn++) {
                    turn(store, n, turn);
                }
                accept(store, n, "active");
                accept(store, n, "waits");
            }
            Claim claim = Sample.submitted(store, "scope");
            for (int n = 0; n < 20; n++) {
                Sample.write(store, claim, n);
            }
            var wait = new OpenWait(new WaitName("w"), OpenWait.Kind.COMPLETION, null, "waits");
            store.park(claim, List.of(wait), Set.of(wait.name()), false, null, Sample.NOW);
        }
        return file;
    }

    private static Acceptance accept(StoreDriver store, int n, String id) {
        return store.accept(session(n), incarnation(n),
                new Arrival(id, Arrival.Kind.INPUT, "hash", Json.string(id)), -1, true, Sample.NOW);
    }

    private static void turn(StoreDriver store, int n, long turn) {
        String input = "input-" + turn;
        Claim claim = Objects.requireNonNull(((Acceptance.Started) accept(store, n, input)).claim());
        Sample.write(store, claim, (int) turn);
        String said = "session " + n + " turn " + turn + " ";
        store.commit(claim, new TurnCommit(session(n), turn, "receipt", List.of(Json.string(said.repeat(20))),
                Json.string("state " + said), Json.string("result " + said), List.of(input),
                List.of(Json.string("call " + said))), false, Sample.NOW);
    }

    /** Everything that can be read, by what it is. */
    private static Map<String, Function<StoreDriver, Object>> reads() {
        Map<String, Function<StoreDriver, Object>> reads = new LinkedHashMap<>();
        for (int n = 0; n < SESSIONS; n++) {
            SessionId id = session(n);
            reads.put(id + " head", store -> store.head(id));
            reads.put(id + " messages", store -> store.messages(id, 0, 1_000));
            reads.put(id + " turns", store -> store.turns(id, 1, 1_000));
            reads.put(id + " waiting", store -> store.waiting(id));
            reads.put(id + " calls", store -> store.calls(id, 3));
            reads.put(id + " arrival", store -> store.arrival(id, "input-4"));
        }
        var scope = new ScopeId("scope");
        reads.put("effects", store -> store.effects(scope));
        reads.put("waits", store -> store.waits(scope));
        reads.put("state", store -> store.state(scope));
        return reads;
    }

    /** Overwrites some bytes behind the first page, which has the schema. */
    private static void damage(Path file, Random random) throws IOException {
        try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] garbage = new byte[1 + random.nextInt(random.nextBoolean() ? 4 : 200)];
            random.nextBytes(garbage);
            bytes.seek(8_192 + (long) (random.nextDouble() * (bytes.length() - 8_192 - garbage.length)));
            bytes.write(garbage);
        }
    }

    @Test
    void damagedBytesAreNeverReadSilentlyWrong() throws IOException {
        Path whole = written();
        Map<String, Object> expected = new LinkedHashMap<>();
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(whole))) {
            reads().forEach((what, read) -> expected.put(what, read.apply(store)));
        }
        List<String> wrong = new ArrayList<>();
        int refused = 0;
        int answered = 0;
        for (int seed = 1; seed <= DAMAGES; seed++) {
            Path copy = directory.resolve("damaged.db");
            Files.deleteIfExists(directory.resolve("damaged.db-wal"));
            Files.deleteIfExists(directory.resolve("damaged.db-shm"));
            Files.copy(whole, copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            damage(copy, new Random(seed));
            try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(copy))) {
                for (Map.Entry<String, Function<StoreDriver, Object>> read : reads().entrySet()) {
                    try {
                        Object found = read.getValue().apply(store);
                        answered++;
                        if (!found.equals(expected.get(read.getKey()))) {
                            wrong.add("seed " + seed + ": " + read.getKey() + " reads " + found);
                        }
                    } catch (BelayException e) {
                        refused++;
                    }
                }
            } catch (BelayException e) {
                refused++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(refused).as("some damages were met").isPositive();
        assertThat(answered).as("most reads go on beside them").isGreaterThan(refused * 5);
    }

    /** Rows that are gone: the counts in the heads show it. */
    @Test
    void missingRowsAreNoticedByTheHeadThatCountsThem() throws SQLException {
        Map<String, String> deletions = Map.of(
                "messages", "delete from message where session = 'session-1' and place = 7",
                "turns", "delete from turn where session = 'session-1' and turn = 5",
                "waiting", "delete from arrival where session = 'session-1' and id = 'waits'",
                "calls", "delete from ledger where session = 'session-1' and place = 2",
                "effects", "delete from effect where scope = " + number("scope") + " and key = 'call/19'",
                "waits", "delete from wait where scope = 'scope'");
        Path file = written();
        for (String deletion : deletions.values()) {
            Sample.execute(file, deletion);
        }
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            var refused = new ArrayList<String>();
            reads().forEach((what, read) -> {
                try {
                    assertThat(read.apply(store)).isNotNull();
                } catch (BelayException e) {
                    assertThat(e.code()).isEqualTo("journal_corrupt");
                    refused.add(what);
                }
            });
            assertThat(refused).containsExactlyInAnyOrder("session-1 messages", "session-1 turns",
                    "session-1 waiting", "session-1 calls", "effects", "waits");
        }
    }

    @Test
    void damagedScopeIsStuckAndTheOthersAreTaken() throws SQLException {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            for (String scope : List.of("sound", "head", "input")) {
                store.submit(new ScopeId(scope), Sample.INPUT, false, Sample.NOW);
            }
        }
        Sample.execute(file, "update scope set entries = 3 where id = " + number("head"));
        Sample.execute(file, "update scope_input set value = 'null' where scope = " + number("input"));
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            assertThat(store.takeReady(10, 5, Sample.NOW)).extracting(Claim::scope)
                    .containsExactly(new ScopeId("sound"));
            assertThat(store.stuck()).extracting(state -> state.id().value())
                    .containsExactlyInAnyOrder("head", "input");
            assertThat(store.stuck()).allSatisfy(
                    state -> assertThat(state.stuckBecause()).startsWith("journal_corrupt"));
            assertThat(store.takeReady(10, 5, Sample.NOW)).isEmpty();
        }
    }

    @Test
    void damagedWaitThatIsDueMakesItsScopeStuckOnce() throws SQLException {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            Claim claim = Sample.submitted(store, "s");
            var wait = new OpenWait(new WaitName("w"), OpenWait.Kind.COMPLETION, Sample.NOW, null);
            store.park(claim, List.of(wait), Set.of(wait.name()), false, null, Sample.NOW);
        }
        Sample.execute(file, "update wait set announcement = 'changed'");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            assertThat(store.nextDue()).isPresent();
            assertThat(store.takeDue(10, Sample.NOW)).isEmpty();
            assertThat(store.stuck()).hasSize(1);
            assertThat(store.nextDue()).isEmpty();
        }
    }

    /** The scope of a wait is gone, as a foreign key would forbid: the look for due waits found it for ever. */
    @Test
    void dueWaitWithoutItsScopeIsStuckAndNotLookedAtForEver() throws SQLException {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            Claim claim = Sample.submitted(store, "s");
            var wait = new OpenWait(new WaitName("w"), OpenWait.Kind.COMPLETION, Sample.NOW, null);
            store.park(claim, List.of(wait), Set.of(wait.name()), false, null, Sample.NOW);
        }
        Sample.execute(file, "delete from scope");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            assertThat(assertTimeoutPreemptively(Duration.ofSeconds(30),
                    () -> store.takeDue(10, Sample.NOW))).isEmpty();
            assertThat(store.nextDue()).isEmpty();
            assertThat(store.stuck()).singleElement()
                    .satisfies(state -> assertThat(state.stuckBecause())
                            .startsWith("journal_corrupt: the scope of a wait is missing"));
        }
    }

    @Test
    void aStatusThatDoesNotExistIsToldByCode() throws SQLException {
        Path file = directory.resolve("belay.db");
        try (StoreDriver store = new StoreDriver(JdbcStore.sqlite(file))) {
            store.submit(new ScopeId("s"), Sample.INPUT, false, Sample.NOW);
            Sample.execute(file, "pragma ignore_check_constraints = on; update scope set status = 'ASLEEP'");
            assertThatThrownBy(() -> store.state(new ScopeId("s")))
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_corrupt"))
                    .hasMessageContaining("the row [s] of the table scope");
        }
    }

    private static String number(String scope) {
        return "(select number from scope_name where name = '" + scope + "')";
    }
}
