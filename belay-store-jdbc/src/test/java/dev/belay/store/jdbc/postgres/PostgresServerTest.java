package dev.belay.store.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.Sample;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Servers that a store refuses when it is opened, and some whose disks are full. Each test has a server of its own and harms it. */
@Timeout(120)
class PostgresServerTest {

    private static final List<String> SYNCED = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final int ROOM = 3 << 20;
    /** Some segments of the log, of 16 MiB each. */
    private static final int LOG_ROOM = 70 << 20;
    private static final int CALLS = 20;

    private Path folder;
    private int port;
    private EmbeddedPostgres server;
    private DataSource source;

    @BeforeEach
    void start() throws IOException {
        TestPostgres.url(); // skips where none can start
        folder = Files.createTempDirectory("belay-postgres");
        server = started(Map.of());
        source = source();
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        }
    }

    /** Starts it; again on the same port. */
    private EmbeddedPostgres started(Map<String, String> settings) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofMinutes(1));
        if (port != 0) {
            builder.setPort(port);
        }
        SYNCED.forEach(setting -> builder.setServerConfig(setting, "on"));
        settings.forEach(builder::setServerConfig);
        EmbeddedPostgres started = builder.start();
        port = started.getPort();
        return started;
    }

    private DataSource source() {
        var simple = new PGSimpleDataSource();
        simple.setUrl(server.getJdbcUrl("postgres", "postgres"));
        return simple;
    }

    private List<String> query(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> found = new ArrayList<>();
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                }
            }
            return found;
        }
    }

    private void assertRefused(DataSource opened, String... words) {
        assertThatThrownBy(() -> JdbcStore.postgres(opened))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_unusable"))
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fsync", "full_page_writes"})
    void aServerThatMayLoseWhatItHasCommittedIsRefused(String setting) throws Exception {
        JdbcStore.postgres(source).close();
        server.close();
        server = started(Map.of(setting, "off"));

        assertRefused(source, setting + " is off and must be on", "set " + setting + " = on at the server");
    }

    @Test
    void aStandbyIsRefused() throws Exception {
        server.close();
        Files.createFile(folder.resolve("data").resolve("standby.signal"));
        server = started(Map.of());

        assertRefused(source, "the server is a standby", "targetServerType=primary");
    }

    @Test
    void aDatabaseThatIsReadOnlyIsRefused() throws Exception {
        query("alter database postgres set default_transaction_read_only = on");

        assertRefused(source, "default_transaction_read_only is on", "a server that may be written");
    }

    /** Only the number that the driver tells is another one. */
    @Test
    void aServerOfAnOlderVersionIsRefused() {
        assertRefused(TestSources.ofVersion(source, 13), "use PostgreSQL 14 or newer");
        JdbcStore.postgres(TestSources.ofVersion(source, 14)).close();
    }

    /** A disk of some MiB; skips the test and prints why where none can be mounted. */
    private Path mountSmallDisk(int size) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try {
            run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString());
        } catch (IOException e) {
            System.out.println("A test of a full disk at the server is skipped: no small disk can be mounted"
                    + " here (" + e.getMessage() + "). PostgresFaultsTest raises the same failure instead");
            Assumptions.abort("no disk can be mounted here; the reason was printed");
        }
        return disk;
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    @Test
    void aServerWhoseDiskIsFullKeepsWhatItHasAnsweredAndGoesOnWhenThereIsRoom() throws Exception {
        Path disk = mountSmallDisk(ROOM);
        try {
            fill(disk);
        } finally {
            server.close();
            run("umount", disk.toString());
        }
    }

    /** Writes until there is no room; how much is written then. */
    private static int full(StoreDriver journal, Claim claim, int from, Supplier<String> noise) {
        int written = from;
        try {
            while (written < from + 10_000) {
                assertThat(
                        journal.write(claim, Sample.completed(written, Json.string(noise.get()))).refusal())
                        .isNull();
                written++;
            }
            throw new AssertionError("the disk was never full");
        } catch (JournalException e) {
            assertThat(e.retryable()).isTrue();
            assertThat(e).hasMessageContaining("no room").hasMessageContaining("make room");
        }
        return written;
    }

    private void fill(Path disk) throws Exception {
        var options = PostgresOptions.STANDARD;
        JdbcStore.migrate(source, options);
        query("create tablespace small location '" + disk.toAbsolutePath() + "'");
        query("alter table belay.effect set tablespace small");
        var random = new Random(22);
        int written = 0;
        try (var store = JdbcStore.postgres(source, options);
                Belay belay = Belay.builder()
                        .tools(StaticToolProvider.builder()
                                .raw(ToolDefinition.raw("look", "Looks.", Json.of("{\"type\":\"object\"}"))
                                        .effect(ToolEffect.READ), (in, context) -> "seen")
                                .build())
                        .store(JdbcStore.postgres(source, options))
                        .build()) {
            var journal = new StoreDriver(store);
            var claim = Sample.submitted(journal, "s");
            for (int length : new int[]{20_000, 1}) { // a short record may fit where a long one does not
                written = full(journal, claim, written, () -> noise(random, length));
            }
            assertThat(written).isGreaterThan(10);
            assertThat(Sample.keys(journal, "s")).hasSize(written);
            assertThat(journal.inconsistencies(9)).isEmpty();

            belay.calls().submit("waits", List.of(new CallRequest("look", "{}")));
            TestPostgres.until("the call to begin", () -> belay.calls()
                    .state("waits")
                    .filter(state -> state.entries() > 0)
                    .isPresent());
            assertThat(belay.calls().state("waits").orElseThrow().status())
                    .isEqualTo(ScopeState.Status.RUNNING);
            run("mount", "-o", "remount,size=" + 16 * ROOM, disk.toString());
            Sample.write(journal, claim, written);
            assertThat(Sample.keys(journal, "s")).hasSize(written + 1);
            assertThat(belay.calls().join("waits").orElseThrow()).extracting(ToolOutcome::text)
                    .containsExactly("seen");
        }
    }

    /** Nodes could not renew while the server was down, and what they hold is theirs until they had the time of a lease. */
    @Test
    void noNodeIsJudgedUntilALeaseHasPassedSinceTheServerStarted() throws Exception {
        Duration lease = Duration.ofSeconds(4);
        var options = PostgresOptions.STANDARD.withLease(lease);
        String leases = new PostgresSql(options.schema()).name("lease");
        JdbcStore.postgres(source, options).close();
        query("insert into " + leases
                + " (owner, until) values ('other', clock_timestamp() - interval '1 hour')");
        server.close();
        server = started(Map.of());
        try (Belay node = Belay.builder().store(JdbcStore.postgres(source, options)).build()) {
            assertThat(node.stuck()).isEmpty();
            List<String> sinceTheStart = new ArrayList<>();
            TestPostgres.until("the other node to be judged", () -> {
                sinceTheStart.addAll(query("select (extract(epoch from clock_timestamp()"
                        + " - pg_postmaster_start_time()) * 1000)::bigint from " + leases
                        + " where owner = 'other' and dead"));
                return !sinceTheStart.isEmpty();
            });
            assertThat(Long.parseLong(sinceTheStart.getFirst())).isGreaterThan(lease.toMillis());
        }
    }

    /** The log of the server stands alone on a small disk. A server that cannot write its log ends. */
    @Test
    void aServerThatEndsBecauseItsLogIsFullLosesNothingAndNodesGoOnWhenItIsStartedAgain() throws Exception {
        Path disk = mountSmallDisk(LOG_ROOM);
        try {
            server.close();
            Path log = folder.resolve("data").resolve("pg_wal");
            run("cp", "-a", log + "/.", disk.toString());
            run("rm", "-r", log.toString());
            Files.createSymbolicLink(log, disk);
            server = started(Map.of("restart_after_crash", "off"));
            fillLog(disk);
        } finally {
            server.close();
            run("umount", disk.toString());
        }
    }

    private void fillLog(Path disk) throws Exception {
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        Queue<String> accepted = new ConcurrentLinkedQueue<>();
        var full = new AtomicBoolean();
        try (Belay one = paying(runs);
                Belay other = paying(runs);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var callers = Stream.of(one, other)
                    .map(belay -> threads.submit(() -> submit(belay, accepted, full)))
                    .toList();
            TestPostgres.until("calls", () -> accepted.size() > CALLS);
            query("create table filler (value text)");
            assertThatThrownBy(() -> {
                while (true) {
                    query("insert into filler select repeat(md5(random()::text), 30)"
                            + " from generate_series(1, 1000)");
                }
            }).isInstanceOf(SQLException.class);
            TestPostgres.until("the server to end",
                    () -> Files.notExists(folder.resolve("data").resolve("postmaster.pid")));
            server.close();
            int before = accepted.size();

            run("mount", "-o", "remount,size=" + 4 * LOG_ROOM, disk.toString());
            server = started(Map.of());
            TestPostgres.until("calls after the end", () -> accepted.size() > before + CALLS);
            full.set(true);
            for (var caller : callers) {
                caller.get();
            }
            for (String name : accepted) {
                assertThat(other.calls().join(name).orElseThrow()).as(name)
                        .extracting(ToolOutcome::text)
                        .containsExactly("paid");
            }
        }
        assertThat(runs.keySet()).containsAll(accepted);
        assertThat(runs.values()).containsOnly(1);
        try (var store = JdbcStore.postgres(source)) {
            assertThat(store.inconsistencies(9)).isEmpty();
        }
    }

    private Belay paying(Map<String, Integer> runs) {
        return Belay.builder()
                .tools(StaticToolProvider.builder()
                        .raw(ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}")),
                                (in, context) -> {
                                    runs.merge(in.get("name").orElseThrow().asString(), 1, Integer::sum);
                                    return "paid";
                                })
                        .build())
                .store(JdbcStore.postgres(source))
                .build();
    }

    /** Submits calls until there are enough; repeats what was not accepted. */
    private static void submit(Belay belay, Queue<String> accepted, AtomicBoolean enough) {
        while (!enough.get()) {
            String name = "call-" + UUID.randomUUID();
            boolean isAccepted = false;
            while (!isAccepted) {
                try {
                    belay.calls()
                            .submit(name, List.of(new CallRequest("pay", "{\"name\":\"" + name + "\"}")));
                    isAccepted = true;
                } catch (JournalException e) {
                    assertThat(e.retryable()).isTrue();
                }
            }
            accepted.add(name);
        }
    }

    /** Cannot be compressed, and stands in its row: content of more than 64 KiB goes to another table. */
    private static String noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
