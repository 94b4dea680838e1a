package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.laws.StoreDriver;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that the server reports, raised by triggers as often as a test says (L.6). */
@Timeout(60)
class PostgresFaultsTest {

    private final TestPostgres.Place place = new TestPostgres.Place(TestPostgres.source(TestPostgres.url()),
            TestPostgres.place()
                    .options()
                    .withSchema("faults " + ProcessHandle.current().pid() + " " + System.nanoTime()));
    private final PostgresSql sql = new PostgresSql(place.options().schema());

    private void run(String... statements) throws SQLException {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** The next writes of records fail with a state, in their statement or in the commit. A sequence is not rolled back. */
    private void fail(String state, int times, boolean inCommit) throws SQLException {
        String count = sql.name("count").replace("'", "''");
        run("create sequence " + sql.name("count"),
                "create function " + sql.name("fail")
                        + "() returns trigger language plpgsql as $$ begin if nextval('"
                        + count + "') <= " + times + " then raise exception 'by the test' using errcode = '"
                        + state
                        + "'; end if; return new; end $$",
                inCommit
                        ? "create constraint trigger fails after insert or update on " + sql.name("effect")
                                + " deferrable initially deferred for each row execute function "
                                + sql.name("fail") + "()"
                        : "create trigger fails before insert or update on " + sql.name("effect")
                                + " for each row execute function " + sql.name("fail") + "()");
    }

    private StoreDriver open() {
        return new StoreDriver(JdbcStore.postgres(place.source(), place.options()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "40P01", "55P03"})
    void aLostRaceIsNotSeenByACaller(String state) throws SQLException {
        try (var store = open()) {
            var claim = Sample.submitted(store, "s");
            fail(state, 3, false);
            Sample.write(store, claim, 0);
            assertThat(Sample.keys(store, "s")).containsExactly("call/0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "40P01", "55P03"})
    void aRaceThatIsLostInTheCommitIsNotSeenByACaller(String state) throws SQLException {
        try (var store = open()) {
            var claim = Sample.submitted(store, "s");
            fail(state, 3, true);
            Sample.write(store, claim, 0);
            assertThat(Sample.keys(store, "s")).containsExactly("call/0");
        }
    }

    /** A server without room on its disk answers with this state. */
    @Test
    void aFullDiskAtTheServerIsToldAndLeavesNothingBehind() throws SQLException {
        try (var store = open()) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            fail("53100", 1, true);
            assertThatThrownBy(() -> journal.write(claim, Sample.completed(0)))
                    .isInstanceOfSatisfying(JournalException.class, e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("no room");
            assertThat(Sample.keys(journal, "s")).isEmpty();
            Sample.write(journal, claim, 0);
            assertThat(Sample.keys(journal, "s")).containsExactly("call/0");
        }
    }

    /** As a role, a database or a data source may set it. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "local"})
    void aCommitIsSyncedWhateverItsConnectionIsSetTo(String setting) throws SQLException {
        String url = TestPostgres.url();
        var source = TestPostgres.source(url + (url.contains("?") ? "&" : "?")
                + "options=-c%20synchronous_commit%3D" + setting);
        try (var store = new StoreDriver(JdbcStore.postgres(source, place.options()))) {
            var claim = Sample.submitted(store, "s");
            run("create function " + sql.name("synced") + "() returns trigger language plpgsql as $$ begin"
                    + " if current_setting('synchronous_commit') <> 'on' then"
                    + " raise exception 'not synced'; end if; return new; end $$",
                    "create trigger synced before insert on " + sql.name("effect")
                            + " for each row execute function " + sql.name("synced") + "()");
            Sample.write(store, claim, 0);
            assertThat(Sample.keys(store, "s")).containsExactly("call/0");
        }
    }

    /** Deadlines move with the clock of a node; who owns a scope does not. */
    @Test
    void aClockThatJumpsMovesNoOwner() {
        try (var store = open(); var jumped = open()) {
            var claim = Sample.submitted(store, "s");
            var later = Sample.NOW.plusSeconds(1_000_000_000);
            assertThat(jumped.takeReady(9, 5, later)).isEqualTo(List.of());
            assertThat(jumped.claim(new ScopeId("s"), later)).isEmpty();
            Sample.write(store, claim, 0);
        }
    }
}
