package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.Health;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.file.ReaderPool;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How nodes hear of each other's writes. */
@Timeout(60)
class PostgresNewsTest {

    private static final Duration USUAL = Duration.ofMillis(200);

    private final TestPostgres.Place place = TestPostgres.place();

    private static void write(Rows rows, long value) {
        try (Rows.Transaction transaction = rows.begin()) {
            var unit = new Unit(transaction.load(List.of()));
            unit.put(StoreRows.COUNTERS, new Counter("p", "a", value));
            unit.keep();
            transaction.flush(unit.changes());
            transaction.commit(value);
        }
    }

    private static void awaitHeard(Others others) throws Exception {
        TestPostgres.until("its own notification to arrive",
                () -> others.looks(USUAL).every().compareTo(Duration.ofSeconds(1)) >= 0);
    }

    @Test
    void aNodeIsToldOfACommitAndOfADeathAndLooksSeldomByItself() throws Exception {
        var one = PostgresRows.open(place.source(), place.options());
        var two = PostgresRows.open(place.source(), place.options());
        var told = new Semaphore(0);
        try {
            assertThat(two.others().looks(USUAL).every()).isEqualTo(Duration.ofMillis(500));
            two.others().onNews(told::release);
            awaitHeard(two.others());
            told.drainPermits();
            long before = two.version();
            write(one, 1);
            told.acquireUninterruptibly();
            assertThat(two.version()).isNotEqualTo(before);

            long living = two.version();
            one.close();
            assertThat(two.version()).as("a version tells of deaths").isNotEqualTo(living);
        } finally {
            one.close();
            two.close();
        }
    }

    @Test
    void aListenerWhoseConnectionBreaksListensAgain() throws Exception {
        var one = PostgresRows.open(place.source(), place.options());
        var two = PostgresRows.open(place.source(), place.options());
        var told = new Semaphore(0);
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            two.others().onNews(told::release);
            awaitHeard(two.others());
            statement.execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity where query"
                    + " ilike 'listen %'");
            TestPostgres.until("the listener to break",
                    () -> two.others().looks(USUAL).every().equals(Duration.ofMillis(500)));
            awaitHeard(two.others());
            told.drainPermits();
            write(one, 1);
            told.acquireUninterruptibly();
        } finally {
            one.close();
            two.close();
        }
    }

    /** As a pooler in transaction mode does: the connection that listens is not the one that hears. */
    private static DataSource deaf(DataSource source) {
        return TestSources.restated(source, sql -> sql.startsWith("listen ") ? "select 1" : sql);
    }

    /** One notifier, whose pauses the test ends. */
    @Test
    void theFirstNotificationIsSentAtOnceAndThenAtMostAHundredASecond() throws Exception {
        BlockingQueue<String> sent = new LinkedBlockingQueue<>();
        BlockingQueue<Duration> paused = new LinkedBlockingQueue<>();
        var goesOn = new Semaphore(0);
        var connections = new PostgresConnections(TestSources.watched(place.source(), statement -> {
            if (statement.contains("pg_notify")) {
                sent.add(statement);
            }
        }));
        var readers = new ReaderPool<Connection>(connections);
        readers.start();
        try (var news = new News(connections, readers, "a channel", () -> "me", time -> {
            paused.add(time);
            goesOn.acquireUninterruptibly();
        })) {
            news.send();
            assertThat(sent.take()).as("the first is sent at once").isNotEmpty();
            assertThat(paused.take()).isEqualTo(Duration.ofMillis(10));
            for (int i = 0; i < 1_000; i++) {
                news.send();
            }
            assertThat(sent).as("none is sent in the pause").isEmpty();
            goesOn.release();
            sent.take();
            assertThat(paused.take()).isEqualTo(Duration.ofMillis(10));
            assertThat(sent).as("a thousand commits are told by one notification").isEmpty();
            goesOn.release(1_000);
        } finally {
            readers.close();
        }
    }

    /** Both are driven by timers: a lease is renewed once a second here. */
    private void makesFewStatements(UnaryOperator<DataSource> between) throws Exception {
        var statements = new AtomicInteger();
        var renewals = new Semaphore(0);
        DataSource watched = TestSources.watched(between.apply(place.source()), sql -> {
            statements.addAndGet(sql.split("; ").length);
            if (sql.contains("clock_timestamp() + ? *") && sql.contains("with r as")) {
                renewals.release();
            }
        });
        try (Belay belay = Belay.builder().store(JdbcStore.postgres(watched, place.options())).build()) {
            renewals.drainPermits();
            renewals.acquire(2); // what opening has left is done
            statements.set(0);
            renewals.acquire(3);
            assertThat(statements.get()).as("statements in three seconds").isLessThan(3 * 5);
            assertThat(belay.health().life()).isEqualTo(Health.Life.WORKING);
        }
    }

    @Test
    void anIdleNodeMakesFewerThanFiveStatementsASecond() throws Exception {
        makesFewStatements(source -> source);
    }

    @Test
    void anIdleNodeBehindAPoolerMakesFewerThanFiveStatementsASecond() throws Exception {
        makesFewStatements(PostgresNewsTest::deaf);
    }

    /** A client settles a wait; the node that serves the call goes on, told or not. */
    private void goesOn(DataSource source) throws Exception {
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        var tools = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("ask", "Asks.", Json.of("{\"type\":\"object\"}")), (in, context) -> {
                    keys.add(context.completionKey().token());
                    return ToolResult.pending(PendingCompletion.DEFAULT);
                })
                .build();
        try (Belay belay = Belay.builder()
                .tools(tools)
                .store(JdbcStore.postgres(source, place.options()))
                .parkAfter(Duration.ZERO)
                .build();
                var client = Belay.client(JdbcStore.existing(place.source(), place.options()))) {
            belay.calls().submit("batch", List.of(new CallRequest("ask", "{}")));
            String key = keys.take();
            TestPostgres.until("the call to park",
                    () -> belay.calls().state("batch").orElseThrow().status() == ScopeState.Status.PARKED);
            assertThat(client.resolve(key, Resolution.ok(Json.string("yes"))))
                    .isInstanceOf(Delivery.Accepted.class);
            assertThat(belay.calls().join("batch").orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("yes");
        }
    }

    @Test
    void whatAClientSettlesGoesOnAtTheNodeThatServesIt() throws Exception {
        goesOn(place.source());
    }

    @Test
    void whatAClientSettlesGoesOnBehindAPoolerThatLosesNotifications() throws Exception {
        goesOn(deaf(place.source()));
    }

    @Test
    void aNodeThatHearsNothingLooksTwiceASecond() throws Exception {
        var deaf = PostgresRows.open(deaf(place.source()), place.options());
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            deaf.others().onNews(() -> {});
            TestPostgres.until("the listener to begin",
                    () -> statement.executeQuery("select 1 from pg_stat_activity where query = 'select 1'")
                            .next());
            assertThat(deaf.others().looks(USUAL)).isEqualTo(new Others.Looks(Duration.ofMillis(500), 10));
        } finally {
            deaf.close();
        }
    }
}
