package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.runtime.store.journal.Others;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that cannot renew their leases, or lost them (L.8, E.2). */
@Timeout(120)
class PostgresLeaseTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");
    private static final Duration LEASE = Duration.ofMillis(1_500);

    private final TestPostgres.Place place = TestPostgres.place();
    private final PostgresOptions options = place.options().withLease(LEASE);
    private final String leases = new PostgresSql(options.schema()).name("lease");
    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Queue<String> looked = new ConcurrentLinkedQueue<>();

    private Object untilItMayEnd(String answer) throws InterruptedException {
        begun.release();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
        return answer;
    }

    private ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("move", "Moves.", ANY).exclusive("account:1"),
                        (in, context) -> untilItMayEnd("moved"))
                .raw(ToolDefinition.raw("pay", "Pays.", ANY), (in, context) -> untilItMayEnd("paid"))
                .raw(ToolDefinition.raw("look", "Looks.", ANY).effect(ToolEffect.READ), (in, context) -> {
                    looked.add(Thread.currentThread().getName());
                    return "seen";
                })
                .build();
    }

    private static List<CallRequest> one(String tool) {
        return List.of(new CallRequest(tool, "{}"));
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = place.source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** The store can be written all the time: only the lease is out of reach. */
    @Test
    void aNodeThatCannotRenewItsLeaseStopsHoldersOfResourcesAndStartsNothing() throws Exception {
        try (Belay belay = Belay.builder()
                .tools(tools())
                .store(JdbcStore.postgres(place.source(), options))
                .build();
                Connection foreign = place.source().getConnection();
                Statement statement = foreign.createStatement()) {
            belay.calls().submit("holds", one("move"));
            belay.calls().submit("runs", one("pay"));
            begun.acquire(2);
            foreign.setAutoCommit(false);
            statement.executeQuery("select 1 from " + leases + " for update").next();
            interrupted.await();

            belay.calls().submit("later", one("look"));
            TestPostgres.until("the call to begin",
                    () -> belay.calls().state("later").map(ScopeState::entries).orElse(0) > 0);
            for (int i = 0; i < 200; i++) { // each is a round trip to the server
                assertThat(belay.calls().state("later").orElseThrow().status())
                        .isEqualTo(ScopeState.Status.RUNNING);
            }
            assertThat(looked).isEmpty();
            foreign.rollback();

            assertThat(belay.calls().join("later").orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("seen");
            ToolOutcome stopped = belay.calls().join("holds").orElseThrow().getFirst();
            assertThat(stopped.code()).contains("tool_timeout");
            assertThat(stopped.text()).contains("cut off from the store");
            assertThat(belay.doubts().open(0, 9)).as("it may have moved").hasSize(1);
            mayEnd.countDown();
            assertThat(belay.calls().join("runs").orElseThrow()).as("other bodies run on")
                    .extracting(ToolOutcome::text)
                    .containsExactly("paid");
        }
    }

    /**
     * Three nodes lose the server for longer than a lease, and come back one after another. The profile {@code long} has the usual
     * lease and an outage of 90 seconds.
     */
    @Test
    @Timeout(400)
    void anOutageOfTheServerLeavesNoDoubtForBodiesThatOutliveIt() throws Exception {
        boolean real = Boolean.getBoolean("belay.long");
        var lease = real ? PostgresOptions.STANDARD.lease() : TestPostgres.LEASE;
        var outage = real ? Duration.ofSeconds(90) : lease;
        List<TestProxy> networks = new ArrayList<>();
        List<Belay> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                networks.add(new TestProxy());
                nodes.add(Belay.builder()
                        .tools(tools())
                        .store(JdbcStore.postgres(networks.get(i).source(), place.options().withLease(lease)))
                        .build());
                nodes.get(i).calls().submit("batch-" + i, one("pay"));
            }
            begun.acquire(3);
            Set<String> before = new HashSet<>(query("select owner from " + leases));
            networks.forEach(TestProxy::cut);
            long cut = System.nanoTime();
            TestPostgres.until("all leases to run out", outage.multipliedBy(3),
                    () -> System.nanoTime() - cut > outage.toNanos()
                            && query("select 1 from " + leases + " where until < clock_timestamp()")
                                    .size() == 3);
            networks.getFirst().mend();
            awaitRenewals(2); // the second time it could judge
            networks.forEach(TestProxy::mend);
            TestPostgres.until("all leases to be renewed",
                    () -> query("select 1 from " + leases + " where until < clock_timestamp()").isEmpty());
            mayEnd.countDown();

            for (int i = 0; i < 3; i++) {
                assertThat(nodes.get(i).calls().join("batch-" + i).orElseThrow())
                        .extracting(ToolOutcome::text)
                        .containsExactly("paid");
            }
            assertThat(new HashSet<>(query("select owner from " + leases))).isEqualTo(before);
            assertThat(query("select owner from " + leases + " where dead")).isEmpty();
            assertThat(nodes.getFirst().doubts().open(0, 9)).isEmpty();
            assertThat(begun.availablePermits()).as("no body ran twice").isZero();
        } finally {
            nodes.forEach(Belay::close);
            for (TestProxy network : networks) {
                network.close();
            }
        }
    }

    /** Until leases were renewed so often, which takes a third of a lease each time. */
    private void awaitRenewals(int renewals) throws SQLException {
        Set<String> seen = new HashSet<>(query("select until from " + leases));
        int before = seen.size();
        while (seen.size() < before + renewals) {
            seen.addAll(query("select until from " + leases));
        }
    }

    /** Another node takes over; what the body answers then settles the doubt, and changes nothing else. */
    @Test
    void aNodeThatWasDeclaredDeadWritesOnlyLateResultsAndGoesOn() throws Exception {
        try (Belay cut = Belay.builder()
                .tools(tools())
                .store(JdbcStore.postgres(place.source(), options))
                .build()) {
            cut.calls().submit("batch", one("pay"));
            begun.acquire();
            String owner = query("select owner from " + leases).getFirst();
            query("update " + leases + " set dead = true where owner = '" + owner + "' returning owner");
            // takes what is left as it opens; the node that is cut off looks again only seconds later
            try (Belay other = Belay.builder()
                    .tools(tools())
                    .store(JdbcStore.postgres(place.source(), options))
                    .build()) {
                ToolOutcome outcome = other.calls().join("batch").orElseThrow().getFirst();
                assertThat(outcome.code()).contains("in_doubt");
                List<Doubt> doubts = other.doubts().open(0, 9);
                assertThat(doubts).hasSize(1);

                mayEnd.countDown();
                TestPostgres.until("the late result to settle the doubt",
                        () -> other.doubts().open(0, 9).isEmpty());
                assertThat(other.calls().join("batch").orElseThrow().getFirst()).isEqualTo(outcome);
                assertThat(begun.availablePermits()).isZero();
                assertThat(cut.calls().run("next", one("look")).outcomes()).extracting(ToolOutcome::text)
                        .containsExactly("seen");
                assertThat(query("select owner from " + leases + " where not dead")).hasSize(2)
                        .doesNotContain(owner);
            }
        }
    }

    /** No other node is there to take the scope. The claim of the body is lost, so its answer is a late result (decision 0038). */
    @Test
    void aNodeThatEnrolsAgainAndTakesItsOwnScopeStartsNoSecondBodyAndKeepsTheAnswer() throws Exception {
        try (Belay belay = Belay.builder()
                .tools(tools())
                .store(JdbcStore.postgres(place.source(), options))
                .build()) {
            belay.calls().submit("batch", one("pay"));
            begun.acquire();
            var before = belay.calls().state("batch").orElseThrow().fence();
            query("update " + leases + " set dead = true returning owner");
            TestPostgres.until("the node to take its own scope", () -> {
                belay.calls().run("next " + System.nanoTime(), one("look")).outcomes(); // a write finds that the lease is lost
                return !belay.calls().state("batch").orElseThrow().fence().equals(before);
            });
            assertThat(belay.doubts().open(0, 9)).as("the process knows that its body runs").isEmpty();
            mayEnd.countDown();

            assertThat(belay.calls().join("batch").orElseThrow().getFirst().code()).contains("in_doubt");
            TestPostgres.until("the late result settles it", () -> belay.doubts().open(0, 9).isEmpty());
            assertThat(begun.availablePermits()).as("bodies that ran once more").isZero();
        }
    }

    /** Shorter than a lease: the other node may have lost the server just as long, and a moment earlier. */
    @Test
    void aNodeWhoseConnectionBrokeJudgesNoOtherForTheLengthOfALease() throws Exception {
        try (var network = new TestProxy()) {
            var rows = PostgresRows.open(network.source(), options);
            try {
                network.cut();
                network.mend();
                query("insert into " + leases
                        + " (owner, until) values ('other', clock_timestamp()) returning owner");
                String renewed = "select until::text from " + leases + " where owner <> 'other'";
                String before = query(renewed).getFirst();
                TestPostgres.until("a renewal", () -> !query(renewed).getFirst().equals(before));
                assertThat(query("select owner from " + leases + " where dead")).isEmpty();

                TestPostgres.until("the other node to be declared dead",
                        () -> !query("select owner from " + leases + " where dead").isEmpty());
            } finally {
                rows.close();
            }
        }
    }

    @Test
    void theRowOfAWriterIsKeptForADayAfterItsLastWrite() throws Exception {
        var rows = PostgresRows.open(place.source(), options);
        try {
            String writers = new PostgresSql(options.schema()).name("writer");
            query("insert into " + writers + " (id, at) values"
                    + " ('forgotten', clock_timestamp() - interval '24 hours 1 minute'),"
                    + " ('known', clock_timestamp() - interval '23 hours 59 minutes') returning id");
            TestPostgres.until("a renewal to delete it",
                    () -> !query("select id from " + writers).contains("forgotten"));
            assertThat(query("select id from " + writers)).containsExactlyInAnyOrder("known", rows.owner());
        } finally {
            rows.close();
        }
    }

    /** The server counts from the moment at which it was asked, and its answer may take long. */
    @Test
    void aRenewalThatIsAnsweredLateCountsFromItsBeginning() throws Exception {
        var rows = PostgresRows.open(place.source(), options);
        try (Connection foreign = place.source().getConnection();
                Statement statement = foreign.createStatement()) {
            foreign.setAutoCommit(false);
            statement.executeQuery("select 1 from " + leases + " for update").next();
            TestPostgres.until("a renewal to wait for its row", () -> !query("select 1 from pg_stat_activity"
                    + " where wait_event_type = 'Lock' and query like '%lease%'").isEmpty());
            long since = System.nanoTime();
            TestPostgres.until("the lease to be unsure",
                    () -> !rows.others().sureFor(rows.owner()).isPositive());
            Duration waited = Duration.ofNanos(System.nanoTime() - since);
            foreign.rollback();
            TestPostgres.until("the answer", () -> rows.others().sureFor(rows.owner()).isPositive());
            assertThat(rows.others().sureFor(rows.owner()))
                    .isLessThan(LEASE.multipliedBy(2).dividedBy(3).minus(waited));
        } finally {
            rows.close();
        }
    }

    @Test
    void anOwnerIsSureForTwoThirdsOfItsLease() {
        long before = System.nanoTime();
        var rows = PostgresRows.open(place.source(), place.options().withLease(Duration.ofMinutes(30)));
        try {
            Duration sure = rows.others().sureFor(rows.owner());
            Duration passed = Duration.ofNanos(System.nanoTime() - before);
            assertThat(sure).isBetween(Duration.ofMinutes(20).minus(passed), Duration.ofMinutes(20));
        } finally {
            rows.close();
        }
    }

    @Test
    void anOwnerThatWasDeclaredDeadIsNeverSureAgain() throws Exception {
        var rows = PostgresRows.open(place.source(), options);
        try {
            String before = rows.owner();
            assertThat(rows.others().sureFor(before)).isPositive().isLessThanOrEqualTo(LEASE);
            query("update " + leases + " set dead = true returning owner");
            TestPostgres.until("the owner to be declared dead",
                    () -> rows.others().sureFor(before).equals(Others.NEVER));
            rows.begin().close();
            assertThat(rows.owner()).isNotEqualTo(before);
            assertThat(rows.others().sureFor(rows.owner())).isPositive();
            assertThat(rows.others().sureFor(before)).isEqualTo(Others.NEVER);
        } finally {
            rows.close();
        }
    }
}
