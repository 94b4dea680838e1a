package dev.belay.benchmarks.durable;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.CompletionKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A resumable body with many recorded steps that then waits for one event after another. After each event it runs again from its
 * first line; the measured time is from the event's arrival until the body has all its steps and the event.
 */
final class Replay {

    private static final int STEPS = 3_000;
    private static final int WARM_UPS = 10;
    private static final double BAR = 5;

    private final Map<Integer, CompletionKey> keys = new ConcurrentHashMap<>();
    private final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    private final int events;
    private int next;

    /**
     * Milliseconds of one round.
     *
     * @param replay from the event to the line after the steps
     * @param rows to read the same rows with plain JDBC
     */
    private record Timed(double replay, double rows) {}

    private Replay(int events) {
        this.events = events;
    }

    static List<Line> measure(Disk disk, int rounds) throws Exception {
        var replay = new Replay(WARM_UPS + rounds);
        Path folder = disk.folder("replay");
        try (DurableCalls calls = Bench.onSqlite(folder, replay.tools(), Bench.PARK_AT_ONCE);
                Connection plain = DriverManager.getConnection("jdbc:sqlite:" + Bench.file(folder))) {
            System.err.println("recording steps");
            calls.submit("batch", Bench.calls("many_steps", 1));
            double first = replay.event(calls);
            for (int i = 1; i < WARM_UPS; i++) {
                replay.once(calls, plain);
            }
            var taken = disk.take("replay", rounds, () -> replay.once(calls, plain));
            Spread times = Spread.of(taken, one -> one.value().replay() / one.value().rows());
            String what = "re-entry and replay of 3,000 recorded steps, ms";
            return List.of(new Line(what, Spread.of(taken, one -> one.value().replay()).text(1),
                    times.text(2) + " × plain JDBC, "
                            + Spread.of(taken, one -> one.value().rows()).text(1) + " ms; first: "
                            + Math.round(first) + " ms",
                    Spread.of(taken, Disk.Taken::fsyncs).text(0), "≤ 5 ×", times.median() <= BAR));
        }
    }

    private ToolProvider tools() {
        var definition = BenchTools.tool("many_steps").effect(ToolEffect.READ).resumable(true);
        return StaticToolProvider.builder()
                .tool(definition, BenchTools.In.class, (in, context) -> run(context))
                .build();
    }

    private String run(ToolContext context) {
        for (int i = 0; i < STEPS; i++) {
            context.durable()
                    .run("step-" + i, Json.number(i), input -> Json.string("result of step " + input));
        }
        for (int event = 0; event < events; event++) {
            CompletionKey key = context.durable().externalEventKey("event-" + event);
            keys.put(event, key);
            context.durable().awaitEvent(key);
            if (event == next) {
                arrivals.add(System.nanoTime());
            }
        }
        return "done";
    }

    private Timed once(DurableCalls calls, Connection plain) throws Exception {
        double replay = event(calls);
        long start = System.nanoTime();
        int rows = read(plain);
        double reading = (System.nanoTime() - start) / 1e6;
        if (rows < STEPS) {
            throw new IllegalStateException("expected " + STEPS + " rows, found " + rows);
        }
        return new Timed(replay, reading);
    }

    /** Sends the next event once the call is parked; milliseconds until the body had it. */
    private double event(DurableCalls calls) throws Exception {
        Bench.await("the call to wait for event " + next, () -> keys.containsKey(next) && calls.state("batch")
                .filter(state -> state.status() == ScopeState.Status.PARKED)
                .isPresent());
        CompletionKey key = Objects.requireNonNull(keys.get(next));
        long start = System.nanoTime();
        calls.resolve(key.token(), Resolution.ok(Json.NULL));
        Long arrival = arrivals.poll(1, TimeUnit.MINUTES);
        if (arrival == null) {
            throw new IllegalStateException("event " + next + " did not arrive within a minute");
        }
        next++;
        return (arrival - start) / 1e6;
    }

    private static int read(Connection plain) throws Exception {
        try (var statement = plain
                .prepareStatement("select key, ordinal, kind, hash, identity, status, input, result,"
                        + " fingerprint, effect, resource, fence from effect"
                        + " where scope = (select number from scope_name where name = ?)")) {
            statement.setString(1, "batch");
            int count = 0;
            int characters = 0;
            try (var rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int column = 1; column <= columns; column++) {
                        String text = rows.getString(column);
                        characters += text == null ? 0 : text.length();
                    }
                    count++;
                }
            }
            return characters == 0 ? 0 : count;
        }
    }
}
