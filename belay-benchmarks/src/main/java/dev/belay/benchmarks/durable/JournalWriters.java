package dev.belay.benchmarks.durable;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.EffectWrite;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.tool.ToolEffect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Writes records of many scopes at once, without calls: what the store alone can do. */
final class JournalWriters {

    private static final Json VALUE = Json.string("x".repeat(300));

    private final int scopes;
    private final int records;
    private int used;

    /**
     * Writers.
     *
     * @param scopes how many on each node
     * @param records how many in each scope, one after another
     */
    JournalWriters(int scopes, int records) {
        this.scopes = scopes;
        this.records = records;
    }

    /** Writes; how many records a second. Each scope waits for a record before it writes the next. */
    double run(List<Store> nodes) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < scopes * nodes.size(); i++) {
                Store node = nodes.get(i % nodes.size());
                String name = "written-" + used++;
                running.add(threads.submit(() -> {
                    write(node, name);
                    return name;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            return nodes.size() * scopes * records / ((System.nanoTime() - start) / 1e9);
        }
    }

    private void write(Store node, String scope) {
        Instant now = Instant.now();
        var created = (Submission.Created) node.apply(node.scopes()
                .submit(new ScopeId(scope),
                        new ScopeInput("bench@1", Json.EMPTY_OBJECT), true, now));
        Claim claim = Objects.requireNonNull(created.claim());
        for (int i = 0; i < records; i++) {
            var row = new EffectRow("call/" + i, i, "attempt", "0".repeat(64), Json.EMPTY_OBJECT,
                    EffectRow.Status.COMPLETED, Json.EMPTY_OBJECT, VALUE, "f".repeat(64), ToolEffect.READ,
                    null, 0);
            if (node.apply(node.records().write(claim, new EffectWrite(row, null, null, List.of(), now)))
                    .refusal() != null) {
                throw new IllegalStateException("a write was refused");
            }
        }
        node.apply(node.scopes().end(claim, Json.TRUE, now));
    }
}
