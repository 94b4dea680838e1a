package dev.belay.testkit.rows;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeState.Status;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The stores that one test has opened, and rows to write. Confined to one test. */
public final class RowsBench {

    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");

    private final Callable<RowsOpening> places;
    private final List<Rows> opened = new ArrayList<>();
    private final Map<Rows, Long> batches = new HashMap<>();
    private @Nullable RowsOpening place;

    RowsBench(Callable<RowsOpening> places) {
        this.places = places;
    }

    /** One more store on the rows of this test. */
    Rows open() {
        try {
            if (place == null) {
                place = places.call();
            }
            Rows rows = place.open();
            opened.add(rows);
            return rows;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void close() {
        opened.forEach(Rows::close);
    }

    /** Commits changes; returns the number of the commit. */
    long write(Rows rows, Consumer<Unit> changes) {
        long batch = batches.merge(rows, 1L, Long::sum);
        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(changed(transaction, changes).changes());
            transaction.commit(batch);
        }
        return batch;
    }

    /** The next commit has the number behind the next. */
    void skip(Rows rows) {
        batches.merge(rows, 1L, Long::sum);
    }

    static Unit changed(Rows.Transaction transaction, Consumer<Unit> changes) {
        var unit = new Unit(transaction.load(List.of()));
        changes.accept(unit);
        unit.keep();
        return unit;
    }

    /** What some selectors name, as a reader finds it. */
    static <T extends @Nullable Object> T read(Rows rows, List<? extends Selector<?>> selectors,
            Function<Unit, T> decide) {
        return rows.read(Operation.reading(into -> into.addAll(selectors), decide));
    }

    static <R> @Nullable R find(Rows rows, Table<R> table, String parent) {
        return read(rows, List.of(Selector.one(table, parent)), unit -> unit.get(table, parent));
    }

    static <R> @Nullable R find(Rows rows, Table<R> table, String parent, Object child) {
        return read(rows, List.of(Selector.one(table, parent, child)),
                unit -> unit.get(table, parent, child));
    }

    static <R> List<R> list(Rows rows, Selector<R> selector) {
        return read(rows, List.of(selector), unit -> List.copyOf(unit.list(selector)));
    }

    static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    static Incarnation bits(int n) {
        return new Incarnation(n, n);
    }

    static Scope ready(String id, int second) {
        return Scope.submitted(id, "batch@1", bits(1), 1, at(second));
    }

    static Scope ended(String id, int second) {
        return new Scope(id, "batch@1", Status.ENDED, null, 1, 0, bits(1), 1, at(second), null, null, null, 0,
                0, 0, false);
    }

    static Wait open(String scope, String name, @Nullable Instant deadline) {
        return new Wait(scope, name, OpenWait.Kind.EVENT, true, deadline, null, null, null);
    }

    static Message message(String session, long place) {
        return new Message(session, place, 1, Json.number(place));
    }

    static void putAll(Unit unit, List<Scope> scopes) {
        scopes.forEach(scope -> unit.put(ScopeRows.SCOPES, scope));
    }
}
