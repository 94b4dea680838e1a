package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many round trips a commit takes, and what becomes of it when connections break (L.6). */
@Timeout(90)
class PostgresConnectionsTest {

    private static HikariDataSource pool(String name, int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(TestPostgres.url());
        config.addDataSourceProperty("ApplicationName", name);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(1_000);
        return new HikariDataSource(config);
    }

    /** One for each: load, flush, commit. Leases are renewed too seldom to count. */
    @Test
    void aCommitTakesThreeRoundTripsAndFourWithASecondWave() {
        var place = TestPostgres.place();
        var trips = new AtomicInteger();
        var source = TestSources.watched(place.source(), statement -> {
            if (Thread.currentThread().getName().equals("belay-writer")) {
                trips.incrementAndGet();
            }
        });
        try (var store = new StoreDriver(JdbcStore.postgres(source, place.options()))) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            trips.set(0);
            Sample.write(journal, claim, 0);
            assertThat(trips.getAndSet(0)).isEqualTo(3);
            journal.take(claim, "account:1", "call/0", Sample.NOW);
            assertThat(trips.getAndSet(0)).isEqualTo(3);
            journal.take(claim, "account:1", "call/0", Sample.NOW);
            assertThat(trips.get()).as("the record of the holder is loaded, too").isEqualTo(4);
        }
    }

    @Test
    void aPoolThatIsTooSmallIsRefusedWithTheNumber() {
        var place = TestPostgres.place();
        try (var small = pool("small", 4)) {
            assertThatThrownBy(() -> JdbcStore.postgres(small, place.options()))
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("journal_unusable"))
                    .hasMessageContaining("gave 4 connections")
                    .hasMessageContaining("needs 5");
        }
    }

    private static void endBackends(String name) throws SQLException {
        try (Connection connection = TestPostgres.source(TestPostgres.url()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = '"
                            + name + "'");
        }
    }

    /** The server ends all connections of a node: before a write, between flush and commit, after the commit. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void aWriteWhoseConnectionsTheServerEndsHappensOnce(Moment moment) throws Exception {
        var place = TestPostgres.place();
        String name = "ended " + moment;
        var armed = new AtomicReference<@Nullable Moment>();
        try (var pool = pool(name, 8);
                var store = new StoreDriver(
                        JdbcStore.postgres(pool, place.options().withProbe((at, write) -> {
                            if (armed.compareAndSet(at, null)) {
                                try {
                                    endBackends(name);
                                } catch (SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        })))) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            for (int i = 0; i < 3; i++) {
                armed.set(moment);
                Sample.write(journal, claim, i);
                assertThat(armed.get()).isNull();
            }
            assertThat(Sample.keys(journal, "s")).hasSize(3);
        }
    }

    /** A server that was restarted leaves broken connections in the hands of each reader, and in the pool. */
    @Test
    void aReadWhoseConnectionsTheServerHasEndedIsAnswered() throws Exception {
        var place = TestPostgres.place();
        try (var pool = pool("reads", 8);
                var store = new StoreDriver(JdbcStore.postgres(pool, place.options()))) {
            var claim = Sample.submitted(store, "s");
            Sample.write(store, claim, 0);
            for (int i = 0; i < 5; i++) {
                endBackends("reads");
                assertThat(Sample.keys(store, "s")).hasSize(1);
                store.version();
            }
        }
    }

    /** Hands out connections that fail at once, as a pool does after a restart of the server. */
    private static DataSource failing(DataSource source, int times, AtomicInteger closed) {
        var left = new AtomicInteger(times);
        return TestSources.changed(source, connection -> left.getAndDecrement() <= 0
                ? connection
                : TestSources.changed(connection, (method, arguments) -> {
                    switch (method) {
                        case "setAutoCommit" -> throw new SQLException("broken by the test", "08006");
                        case "close" -> closed.incrementAndGet();
                        default -> {
                        }
                    }
                }));
    }

    @Test
    void aBrokenConnectionOfThePoolIsGivenBackAndAnotherOneTaken() throws Exception {
        var closed = new AtomicInteger();
        var source = failing(TestPostgres.place().source(), 5, closed);
        try (Connection connection = new PostgresConnections(source).reader()) {
            assertThat(connection.isValid(5)).isTrue();
            assertThat(closed).hasValue(5);
        }
    }

    @Test
    void aPoolThatHandsOutOnlyBrokenConnectionsIsGivenUp() {
        var closed = new AtomicInteger();
        var connections = new PostgresConnections(
                failing(TestPostgres.place().source(), Integer.MAX_VALUE, closed));
        assertThatThrownBy(connections::reader).isInstanceOf(SQLException.class)
                .hasMessage("broken by the test");
        assertThat(closed).as("none is kept from the pool").hasValue(6);
    }

    /** The connection breaks at the n-th statement of the writer, for every n. */
    @Test
    void aConnectionThatBreaksAtAnyStatementIsNotSeenByACaller() {
        var place = TestPostgres.place();
        var countdown = new AtomicInteger(-1);
        var source = TestSources.watched(place.source(), statement -> {
            if (Thread.currentThread().getName().equals("belay-writer") && countdown.getAndDecrement() == 0) {
                PostgresConnectionsTest
                        .<RuntimeException>sneak(new SQLException("broken by the test", "08006"));
            }
        });
        try (var store = new StoreDriver(JdbcStore.postgres(source, place.options()))) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            for (int n = 0; n < 4; n++) {
                countdown.set(n);
                Sample.write(journal, claim, n);
            }
            countdown.set(-1);
            assertThat(Sample.keys(journal, "s")).isEqualTo(List.of("call/0", "call/1", "call/2", "call/3"));
        }
    }

    /** The n-th statement of the writer has happened and its reply is lost, for every n: load, flush, commit. */
    @Test
    void aWriteWhoseReplyIsLostAtAnyStatementHappensOnce() {
        var place = TestPostgres.place();
        var countdown = new AtomicInteger(-1);
        var lost = new AtomicInteger();
        var source = TestSources.losingReplies(place.source(), () -> {
            boolean breaks = Thread.currentThread().getName().equals("belay-writer")
                    && countdown.getAndDecrement() == 0;
            lost.addAndGet(breaks ? 1 : 0);
            return breaks;
        });
        try (var store = new StoreDriver(JdbcStore.postgres(source, place.options()))) {
            var journal = store;
            var claim = Sample.submitted(journal, "s");
            for (int n = 0; n < 3; n++) {
                countdown.set(n);
                Sample.write(journal, claim, n);
                assertThat(lost).hasValue(n + 1);
            }
            countdown.set(-1);
            assertThat(Sample.keys(journal, "s")).containsExactly("call/0", "call/1", "call/2");
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
