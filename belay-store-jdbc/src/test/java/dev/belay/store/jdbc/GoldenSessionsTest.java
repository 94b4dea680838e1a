package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.law.DoubtRules.DoubtSettling;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.Reconciliation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.5: recorded sessions are read. The file was written by a store that ended in the second turn of one of them.
 */
class GoldenSessionsTest {

    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    private static final SessionId BUSY = new SessionId("größer 😀");
    private static final SessionId DONE = new SessionId("done");
    private static final SessionId FORK = new SessionId("fork");
    private static final Incarnation BITS = new Incarnation(0x0102030405060708L, 0x1112131415161718L);

    @TempDir
    Path directory;

    private StoreDriver open(String golden) throws IOException, SQLException {
        Path file = directory.resolve("belay.db");
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream(golden))) {
            Sample.execute(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        return new StoreDriver(JdbcStore.sqlite(file));
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static Arrival input(String id, String content) {
        return new Arrival(id, Arrival.Kind.INPUT, "ef".repeat(32), Json.of(content));
    }

    @Test
    void sessionsAreRead() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-sessions.sql")) {
            assertThat(store.sessions(null, 9)).containsExactly(
                    new SessionHead(DONE, new Incarnation(3, 4), 1, null, 0, 1, Json.NULL, Json.NULL,
                            SessionProfile.PLAIN, at(5),
                            at(6)),
                    new SessionHead(FORK, new Incarnation(5, 6), 1, null, 2, 0, Json.of("{\"given\":true}"),
                            Json.of("{\"fork\":\"done\"}"), SessionProfile.PLAIN, at(7), at(7)),
                    new SessionHead(BUSY, BITS, 1, 2L, 2, 4, Json.of("{\"tools\":[]}"), Json.NULL,
                            SessionProfile.PLAIN, at(0),
                            at(4)));
            assertThat(store.waiting(BUSY)).containsExactly(
                    new Arrived(new Arrival("compact", Arrival.Kind.COMMAND, "cc".repeat(32),
                            Json.of("{\"keep\":4}")), 2, null, at(1)));
            assertThat(store.arrival(BUSY, "in-2")).contains(new Arrived(input("in-2", "2"), 3, 1L, at(2)));
            assertThat(store.arrival(BUSY, "in-3")).contains(new Arrived(input("in-3", "3"), 4, 2L, at(3)));
        }
    }

    @Test
    void whatOperatorsSeeIsReadAndSettled() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-operators.sql")) {
            Doubt open = store.doubts(0, 9).getFirst();
            assertThat(store.doubts(0, 9)).hasSize(1);
            assertThat(open.id()).isEqualTo(Doubt.id("batch", "call/0/attempt/1"));
            assertThat(open.about().why()).isEqualTo("größer");
            assertThat(open.about().call().arguments()).isEqualTo(Json.of("{\"amount\":7}"));
            Doubt settled = store.doubt(Doubt.id("batch", "call/1/attempt/1")).orElseThrow();
            assertThat(Objects.requireNonNull(settled.settlement()).truth())
                    .isEqualTo(Reconciliation.didNotHappen("no trace"));
            assertThat(store.audit(0, 9)).extracting(entry -> entry.note().verb())
                    .containsExactly("settle", "pause");
            assertThat(store.pauses()).extracting(pause -> pause.reason())
                    .containsExactly("audit");
            assertThat(store.pending(null, 9, wait -> wait)).hasSize(2);
            assertThat(store.settle(open.id(), Reconciliation.happened(new ToolOutcome.Success(Json.TRUE)),
                    new AuditEntry.Note(Actor.PROGRAM, "settle", open.id(), Json.NULL), false,
                    Sample.NOW))
                    .isInstanceOf(DoubtSettling.Settled.class);
            assertThat(store.doubts(0, 9)).isEmpty();
            Claim batch = store.claim(new ScopeId("batch"), Sample.NOW).orElseThrow();
            assertThat(store.awaits(batch, null)).as("reads what it waited for").isTrue();
        }
    }

    @Test
    void profilesAreReadAndTheirTurnsAreTakenByTheirAgent() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-operators.sql")) {
            assertThat(store.head(new SessionId("case")).orElseThrow().profile()).isEqualTo(
                    new SessionProfile("lawyer", at(2), Map.of("team", "größer", "urgent", "")));
            store.serve(Set.of("turn/1"));
            assertThat(store.takeReady(9, 5, at(10))).isEmpty();
            store.serve(Set.of("turn/1/lawyer"));
            assertThat(store.takeReady(9, 5, at(10))).extracting(Claim::input)
                    .containsExactly(TurnScope.input(new SessionId("case"), new Incarnation(7, 8), 1,
                            input("in-1", "1"), "lawyer"));
        }
    }

    @Test
    void turnsAndMessagesAreRead() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-sessions.sql")) {
            assertThat(store.turns(BUSY, 1, 9)).containsExactly(
                    new TurnRow(BUSY, 1, "in-1", at(0),
                            new TurnRow.End("ab".repeat(32), Json.of("{\"text\":\"ä\"}"),
                                    Json.of("{\"tools\":[]}"), 0, 2, at(4))),
                    new TurnRow(BUSY, 2, "in-3", at(4), null));
            assertThat(store.turns(DONE, 1, 9)).containsExactly(new TurnRow(DONE, 1, "in-1", at(5),
                    new TurnRow.End("cd".repeat(32), Json.string("x".repeat(70_000)), null, 0, 0, at(6))));
            assertThat(store.turns(FORK, 1, 9)).containsExactly(new TurnRow(FORK, 1, "in-1", at(5),
                    new TurnRow.End("cd".repeat(32), Json.of("{\"text\":\"old\"}"), null, 1, 1, at(6))));
            assertThat(store.messages(BUSY, 0, 9)).containsExactly(
                    new StoredMessage(0, 1, Json.of("{\"user\":\"hello\"}")),
                    new StoredMessage(1, 1, Json.of("{\"assistant\":\"ä\"}")));
            assertThat(store.messages(BUSY, 0, 1).getFirst().message().text())
                    .isEqualTo("{\"user\": \"hello\"}");
            assertThat(store.messages(FORK, 0, 9)).containsExactly(
                    new StoredMessage(0, 0, Json.of("{\"system\":1}")),
                    new StoredMessage(1, 1, Json.of("{\"user\":2}")));
        }
    }

    @Test
    void theLedgerIsRead() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-sessions.sql")) {
            assertThat(store.calls(BUSY, 1)).containsExactly(Json.of("{\"call\":\"c1\"}"));
            assertThat(store.calls(BUSY, 2)).isEmpty();
        }
    }

    @Test
    void theTurnOfTheDeadGoesOn() throws IOException, SQLException {
        try (StoreDriver store = open("golden-4-sessions.sql")) {
            Claim claim = store.takeReady(9, 5, at(9)).getFirst();
            assertThat(claim.scope().value()).isEqualTo("turn/01020304050607081112131415161718/2");
            assertThat(claim.input())
                    .isEqualTo(TurnScope.input(BUSY, BITS, 2, input("in-3", "3"), "default"));
            assertThat(claim.fence()).isEqualTo(2);
            assertThat(
                    store.accept(BUSY, new Incarnation(0, 0), input("in-1", "{\"say\":\"hello\"}"), -1, true,
                            at(9)))
                    .isInstanceOf(Acceptance.Known.class);
            assertThat(store.commit(claim, new TurnCommit(BUSY, 2, "r", List.of(Json.TRUE), null, Json.TRUE,
                    List.of("in-3", "compact")), true, at(9))).isEqualTo(new Committed.Done(0, null));
            assertThat(store.messages(BUSY, 2, 9)).containsExactly(new StoredMessage(2, 2, Json.TRUE));
            assertThat(store.waiting(BUSY)).isEmpty();
        }
    }
}
