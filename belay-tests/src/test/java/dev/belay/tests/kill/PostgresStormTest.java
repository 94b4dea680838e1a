package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.store.Store;
import dev.belay.tests.store.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Two nodes on one PostgreSQL server, then three. Between kills the server ends connections; once a backend dies by {@code kill -9},
 * after which the server recovers from its log, and once the server is restarted. The profile {@code long} kills 1,000 times.
 */
@Tag("deep")
class PostgresStormTest extends StormContract {

    /** Every so many kills, the connections of about half of the backends are ended. */
    private static final int ENDS = 3;
    /** Of so many kills, one meets a crash of the server, and another one a restart. */
    private static final int ROUND = 20;

    private TestServer server;
    private String store;

    PostgresStormTest() {
        super(1_000, 40);
    }

    @BeforeEach
    void start() {
        server = TestServer.start();
        store = server.newSchema();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Override
    String store() {
        return store;
    }

    @Override
    Store open() {
        return TestServer.open(store);
    }

    @Override
    int workers(int kill) {
        return kill < kills / 2 ? 2 : 3;
    }

    @Override
    void disturb(int kill, Random random) throws Exception {
        if (kill % ENDS == 1) {
            endConnections(random);
        }
        if (kill % ROUND == ROUND / 4 && server.isOwn()) {
            server.crash();
        }
        if (kill % ROUND == ROUND * 3 / 4 && server.isOwn()) {
            server.restart();
        }
    }

    private void endConnections(Random random) throws SQLException {
        try (Connection connection = TestServer.source(server.url()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select setseed(" + random.nextDouble() + ")");
            statement
                    .execute("select pg_terminate_backend(pid) from pg_stat_activity where random() < 0.5 and"
                            + " application_name = '" + TestServer.APPLICATION + "'");
        }
    }

    @Override
    void checkStore() throws Exception {
        try (Connection connection = TestServer.source(server.url()).getConnection();
                Statement statement = connection.createStatement();
                var open = statement.executeQuery("select count(*) from pg_prepared_xacts")) {
            assertThat(open.next()).isTrue();
            assertThat(open.getLong(1)).as("transactions that wait for a second phase").isZero();
        }
    }
}
