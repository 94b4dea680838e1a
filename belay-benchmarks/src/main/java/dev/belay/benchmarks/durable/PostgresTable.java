package dev.belay.benchmarks.durable;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.tool.ToolProvider;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Prints what calls and turns cost on PostgreSQL. The server runs on this machine and shares its processors. Only ratios within a round
 * are meaningful. The table shows the median of the rounds, with the least and the most.
 */
public final class PostgresTable {

    private static final int ROUNDS = 5;
    private static final int SCOPES = 64;
    private static final int CALLS_EACH = 50;
    private static final int INSERTS = 500;
    private static final int TURNS = 200;
    private static final int RESOLUTIONS = 600;
    private static final int WARM_UPS = 5;
    private static final int PARKED = 100_000;
    private static final int SUBMITTERS = 512;
    private static final int LEDGER = 1_000_000;
    private static final Duration ROUND_TRIP = Duration.ofMillis(2);

    private final PostgresServer server;
    private final int rounds;
    private final int parked;
    private final List<Line> lines = new ArrayList<>();
    private final JournalWriters writers = new JournalWriters(SCOPES, CALLS_EACH);
    private int batches;

    private PostgresTable(PostgresServer server, int rounds, int parked) {
        this.server = server;
        this.rounds = rounds;
        this.parked = parked;
    }

    /** Takes the number of rounds (5), the directory to write in ({@code target}), and the number of parked calls (100,000). */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        int parked = args.length < 3 ? PARKED : Integer.parseInt(args[2]);
        long start = System.nanoTime();
        double loadBefore = load();
        List<Line> lines;
        try (Disk disk = Disk.in(Path.of(args.length < 2 ? "target" : args[1]));
                var server = new PostgresServer(disk.folder("postgres"))) {
            var table = new PostgresTable(server, rounds, parked);
            table.roundTrips();
            table.writes();
            table.throughput();
            table.twoNodes();
            table.resolutions();
            table.ledger();
            table.restart();
            lines = table.lines;
        }
        System.out.printf(Locale.ROOT,
                "%n%s %s, %d cores, %d rounds, median (least..most); load average %.1f before and %.1f after, %d s in all.%n%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(), rounds, loadBefore, load(),
                (System.nanoTime() - start) / 1_000_000_000);
        System.out.println(Line.head());
        lines.forEach(line -> System.out.println(line.text()));
    }

    /** Shows it at once, too: the whole table takes minutes. */
    private void add(Line line) {
        System.err.println(line.text());
        lines.add(line);
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private DurableCalls open(int port, PostgresOptions schema, ToolProvider tools, HostOptions options) {
        return DurableCalls.open(JournalEffectHost
                .open(JdbcStore.postgres(PostgresServer.source(port), schema), options), tools);
    }

    /** A turn has five writes: accepted, two answers of the model, a call, the commit. */
    private void roundTrips() throws Exception {
        System.err.println("round trips");
        var trips = new AtomicInteger();
        var source = PostgresServer.counting(PostgresServer.source(server.port()), trips);
        PostgresOptions schema = server.schema();
        var commits = new AtomicInteger();
        try (Belay belay = Talk.belay(JdbcStore.postgres(source, schema.withProbe((moment, write) -> {
            if (moment == JournalProbe.Moment.INSIDE) {
                commits.incrementAndGet();
            }
        })))) {
            Talk.turn(belay, "s");
            trips.set(0);
            commits.set(0);
            Talk.turn(belay, "s");
            add(Line.of("round trips of the writer in a turn with one call", trips.toString(),
                    commits + " writes", ""));
        }
    }

    /** Writes of many scopes share commits; a connection that commits one statement at a time cannot share. */
    private void writes() throws Exception {
        record Pair(double writes, double inserts) {}
        List<Pair> taken = new ArrayList<>();
        try (Store journal = JdbcStore.postgres(PostgresServer.source(server.port()), server.schema())) {
            for (int round = 1 - WARM_UPS; round <= rounds; round++) {
                System.err.printf("64 writers, round %d of %d%n", round, rounds);
                double before = inserts();
                double rate = writers.run(List.of(journal));
                if (round > 0) {
                    taken.add(new Pair(rate, (before + inserts()) / 2));
                }
            }
        }
        Spread ratio = Spread.of(taken, pair -> pair.writes / pair.inserts);
        add(new Line("64 scopes at once, one record after another in each, journal writes/s",
                Spread.of(taken, Pair::writes).text(0), ratio.text(2) + " × "
                        + Spread.of(taken, Pair::inserts).text(0)
                        + " one-statement commits of one connection",
                "", "≥ 3 ×", ratio.median() >= 3));
    }

    private void throughput() throws Exception {
        record Pair(double calls, double inserts) {}
        List<Pair> taken = new ArrayList<>();
        try (var calls = open(server.port(), server.schema(), new BenchTools(), HostOptions.DEFAULT)) {
            for (int round = 1 - WARM_UPS; round <= rounds; round++) {
                System.err.printf("64 scopes, round %d of %d%n", round, rounds);
                double before = inserts();
                double rate = many(calls);
                if (round > 0) {
                    taken.add(new Pair(rate, (before + inserts()) / 2));
                }
            }
        }
        Spread ratio = Spread.of(taken, pair -> pair.calls / pair.inserts);
        add(Line.of("64 scopes at once, whole `READ` calls/s", Spread.of(taken, Pair::calls).text(0),
                ratio.text(2) + " × " + Spread.of(taken, Pair::inserts).text(0)
                        + " one-statement commits of one connection",
                ""));
    }

    private double inserts() throws Exception {
        server.run("create table if not exists public.bare (id bigserial primary key, value text)");
        try (Connection connection = PostgresServer.source(server.port()).getConnection();
                PreparedStatement insert = connection
                        .prepareStatement("insert into public.bare (value) values (?)")) {
            long start = System.nanoTime();
            for (int i = 0; i < INSERTS; i++) {
                insert.setString(1, "x".repeat(300));
                insert.executeUpdate();
            }
            return INSERTS / seconds(start);
        }
    }

    /** Runs batches at once; how many calls a second. */
    private double many(DurableCalls node) throws Exception {
        List<CallRequest> batch = Bench.calls("look_in_turn", CALLS_EACH);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SCOPES; i++) {
                String name = "batch-" + batches++;
                running.add(threads.submit(() -> {
                    Bench.run(node, name, batch);
                    return name;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            return SCOPES * CALLS_EACH / seconds(start);
        }
    }

    /** Each node has 64 scopes of its own. */
    private void twoNodes() throws Exception {
        record Pair(double one, double two) {}
        List<Pair> taken = new ArrayList<>();
        PostgresOptions shared = server.schema();
        try (var near = new SlowNetwork(server.port(), ROUND_TRIP);
                var far = new SlowNetwork(server.port(), ROUND_TRIP);
                Store alone = JdbcStore.postgres(PostgresServer.source(near.port()), server.schema());
                Store one = JdbcStore.postgres(PostgresServer.source(near.port()), shared);
                Store two = JdbcStore.postgres(PostgresServer.source(far.port()), shared)) {
            for (int round = 1 - WARM_UPS; round <= rounds; round++) {
                System.err.printf("two nodes, round %d of %d%n", round, rounds);
                var pair = new Pair(writers.run(List.of(alone)), writers.run(List.of(one, two)));
                if (round > 0) {
                    taken.add(pair);
                }
            }
        }
        Spread ratio = Spread.of(taken, pair -> pair.two / pair.one);
        add(new Line("two nodes with 2 ms more to each round trip, 64 scopes on each, journal writes/s",
                Spread.of(taken, Pair::two).text(0),
                ratio.text(2) + " × one node: " + Spread.of(taken, Pair::one).text(0), "", "≥ 1.5 ×",
                ratio.median() >= 1.5));
    }

    /** From the call of {@code resolve} on one node until the caller on the other has the outcome. */
    private void resolutions() throws Exception {
        System.err.println("resolutions");
        PostgresOptions schema = server.schema();
        var tools = new BenchTools();
        List<Double> millis = new ArrayList<>();
        try (var serves = open(server.port(), schema, tools, Bench.PARK_AT_ONCE);
                var resolves = JdbcStore.existing(PostgresServer.source(server.port()), schema);
                var client = Belay.client(resolves)) {
            for (int i = 0; i < RESOLUTIONS; i++) {
                tools.tokens().clear();
                String name = "asked-" + i;
                serves.submit(name, Bench.calls("ask", 1));
                Bench.await("a call to park", () -> serves.state(name)
                        .filter(state -> state.status() == ScopeState.Status.PARKED)
                        .isPresent());
                long start = System.nanoTime();
                client.resolve(tools.tokens().iterator().next(), Resolution.ok(Json.string("answer")));
                serves.join(name);
                millis.add(seconds(start) * 1e3);
            }
        }
        Spread spread = Spread.of(millis.subList(RESOLUTIONS / 2, RESOLUTIONS), one -> one);
        add(new Line("resolved on one node until joined on the other, ms", spread.text(1), "", "",
                "< 10 ms", spread.median() < 10));
    }

    /** Rows of other sessions, copied by the server. */
    private void ledger() throws Exception {
        PostgresOptions schema = server.schema();
        String ledger = schema.schema() + ".ledger";
        List<Double> before = new ArrayList<>();
        List<Double> after = new ArrayList<>();
        try (Belay belay = Talk.belay(JdbcStore.postgres(PostgresServer.source(server.port()), schema))) {
            turns(belay);
            turns(belay);
            for (int round = 1; round <= rounds; round++) {
                System.err.printf("turns, round %d of %d%n", round, rounds);
                before.add(turns(belay));
            }
            long calls = server.ask("select count(*) from " + ledger);
            long size = size(schema);
            System.err.println("a million rows in the ledger");
            server.run("insert into " + ledger
                    + " (session, place, turn, value, output, crc) select 'other-' || n,"
                    + " place, turn, value, output, crc from (select * from " + ledger
                    + " limit 1) one, generate_series(1, " + LEDGER + ") n");
            server.run("analyze " + ledger);
            turns(belay);
            for (int round = 1; round <= rounds; round++) {
                System.err.printf("turns beside a million rows, round %d of %d%n", round, rounds);
                after.add(turns(belay));
            }
            Spread many = Spread.of(after, one -> one);
            Spread few = Spread.of(before, one -> one);
            add(new Line("a turn with one call beside 1,000,000 rows of the ledger, ms", many.text(2),
                    "before: " + few.text(2), "", "≤ 1.1 ×", many.median() <= 1.1 * few.median()));
            add(Line.of("size of 1,000,000 turns with one call each, tables and indexes, MB",
                    String.format(Locale.ROOT, "%,.0f", size / (double) calls),
                    "by " + calls + " turns of one session", ""));
        }
    }

    private static double turns(Belay belay) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < TURNS; i++) {
            Talk.turn(belay, "s");
        }
        return seconds(start) * 1e3 / TURNS;
    }

    private long size(PostgresOptions schema) throws Exception {
        return server.ask("select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on"
                + " n.oid = c.relnamespace where n.nspname = '" + schema.schema() + "' and c.relkind = 'r'");
    }

    private void restart() throws Exception {
        PostgresOptions full = server.schema();
        PostgresOptions empty = server.schema();
        double setUp = park(full);
        open(server.port(), empty, new BenchTools(), HostOptions.DEFAULT).close();
        List<Double> withCalls = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("restart, round %d of %d%n", round, rounds);
            without.add(started(empty, round));
            withCalls.add(started(full, round));
        }
        Spread millis = Spread.of(withCalls, one -> one);
        add(new Line(String.format(Locale.ROOT, "%,d parked calls: opened until a new call has run, ms",
                parked), millis.text(0), "empty schema: " + Spread.of(without, one -> one).text(0), "",
                "< 3 s",
                millis.median() < 3_000));
        add(Line.of(String.format(Locale.ROOT, "%,d parked calls: written in, s", parked),
                String.format(Locale.ROOT, "%.0f", setUp),
                String.format(Locale.ROOT, "%,.0f bytes each", size(full) / (double) parked), ""));
    }

    private double started(PostgresOptions schema, int round) throws Exception {
        long start = System.nanoTime();
        try (var calls = open(server.port(), schema, new BenchTools(), HostOptions.DEFAULT)) {
            Bench.run(calls, "new-" + round, Bench.calls("look", 1));
            return seconds(start) * 1e3;
        }
    }

    /** Makes the parked calls; returns the seconds that it took. */
    private double park(PostgresOptions schema) throws Exception {
        System.err.println("parking calls");
        long start = System.nanoTime();
        List<CallRequest> batch = Bench.calls("ask", 1);
        var number = new AtomicInteger();
        try (DurableCalls calls = open(server.port(), schema, new BenchTools(), Bench.PARK_AT_ONCE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> submitters = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                submitters.add(threads.submit(() -> {
                    for (int n = number.getAndIncrement(); n < parked; n = number.getAndIncrement()) {
                        calls.submit("parked-" + n, batch);
                    }
                }));
            }
            for (Future<?> submitter : submitters) {
                submitter.get();
            }
            Bench.await("all calls to park", () -> server.ask("select count(*) from " + schema.schema()
                    + ".scope where status = 'PARKED'") == parked);
        }
        return seconds(start);
    }
}
