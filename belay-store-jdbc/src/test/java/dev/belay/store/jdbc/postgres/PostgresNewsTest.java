package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.Others;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Counter;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
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

    private static void awaitHeard(Others others) {
        while (others.looks(USUAL).every().compareTo(Duration.ofSeconds(1)) < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aNodeIsToldOfACommitAndOfADeathAndLooksSeldomByItself() {
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
            while (!two.others().looks(USUAL).every().equals(Duration.ofMillis(500))) {
                Thread.onSpinWait();
            }
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
        return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
                new Class<?>[]{DataSource.class}, (self, method, values) -> {
                    Object made = method.invoke(source, values);
                    return made instanceof Connection real ? deaf(real) : made;
                });
    }

    private static Connection deaf(Connection real) {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
                new Class<?>[]{Connection.class}, (self, method, values) -> {
                    if (method.getName().equals("prepareStatement") && values[0] instanceof String sql
                            && sql.startsWith("listen ")) {
                        return real.prepareStatement("select 1");
                    }
                    try {
                        return method.invoke(real, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
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
            while (belay.calls().state("batch").orElseThrow().status() != ScopeState.Status.PARKED) {
                Thread.onSpinWait();
            }
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
    void aNodeThatHearsNothingLooksTwiceASecond() throws SQLException {
        var deaf = PostgresRows.open(deaf(place.source()), place.options());
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement()) {
            deaf.others().onNews(() -> {});
            while (!statement.executeQuery("select 1 from pg_stat_activity where query = 'select 1'")
                    .next()) {
                Thread.onSpinWait();
            }
            assertThat(deaf.others().looks(USUAL)).isEqualTo(new Others.Looks(Duration.ofMillis(500), 10));
        } finally {
            deaf.close();
        }
    }
}
