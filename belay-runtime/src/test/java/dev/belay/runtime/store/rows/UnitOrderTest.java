package dev.belay.runtime.store.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of one place stand in the order of their keys, also those that were changed since they were loaded. */
class UnitOrderTest {

    private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    private static final Selector<Scope> TWO = Selector.found(Index.READY, null, NOW, 2);

    private static Scope scope(String id) {
        return Scope.submitted(id, "batch@1", new Incarnation(1, 2), 1, NOW);
    }

    /** Two scopes of one moment were loaded, and others may stand behind them. */
    private static Unit loaded() {
        List<Scope> rows = List.of(scope("b"), scope("d"));
        return new Unit(new Look() {

            @Override
            public <R> @Nullable R row(Table<R> table, String parent, @Nullable Object child) {
                throw new NotSelectedException(new Key(table, parent, child));
            }

            @Override
            @SuppressWarnings("unchecked") // all selectors here are of scopes
            public <R> List<R> rows(Selector<R> selector) {
                return (List<R>) rows;
            }

            @Override
            public List<Key> keys(Selector<?> selector) {
                return rows.stream().map(ScopeRows.SCOPES::key).toList();
            }

            @Override
            public boolean isAlive(String owner) {
                return true;
            }
        });
    }

    @Test
    void aNewRowStandsWhereItsKeyIs() {
        Unit unit = loaded();
        unit.put(ScopeRows.SCOPES, scope("c"));
        assertThat(unit.list(TWO)).extracting(Scope::id).containsExactly("b", "c");
        unit.put(ScopeRows.SCOPES, scope("a"));
        assertThat(unit.list(TWO)).extracting(Scope::id).containsExactly("a", "b");
    }

    @Test
    void aRowBehindTheLoadedOnesIsNotTakenForTheNext() {
        Unit unit = loaded();
        unit.delete(ScopeRows.SCOPES, "b", null);
        unit.put(ScopeRows.SCOPES, scope("z"));
        assertThatThrownBy(() -> unit.list(TWO)).as("another row may stand between d and z")
                .isInstanceOf(NotSelectedException.class);
    }
}
