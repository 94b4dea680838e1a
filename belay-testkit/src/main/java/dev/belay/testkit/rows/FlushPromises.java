package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.changed;
import static dev.belay.testkit.rows.RowsBench.find;
import static dev.belay.testkit.rows.RowsBench.list;
import static dev.belay.testkit.rows.RowsBench.message;
import static dev.belay.testkit.rows.RowsBench.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes are written whole or not at all, and are seen by every store on the same rows. */
interface FlushPromises extends RowsPromises {

    @Test
    default void aRowIsWrittenOverAndDeleted() {
        Rows rows = bench().open();
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 2).cancelled("x")));
        assertThat(find(rows, ScopeRows.SCOPES, "a")).isEqualTo(ready("a", 2).cancelled("x"));

        bench().write(rows, unit -> {
            unit.delete(ScopeRows.SCOPES, "a", null);
            unit.delete(ScopeRows.SCOPES, "never there", null);
        });
        assertThat(find(rows, ScopeRows.SCOPES, "a")).isNull();
    }

    @Test
    default void aParentIsClearedBeforeRowsAreWritten() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            List.of(1L, 2L, 3L).forEach(place -> unit.put(SessionRows.MESSAGES, message("s", place)));
            unit.put(SessionRows.MESSAGES, message("t", 1));
        });
        bench().write(rows, unit -> {
            unit.clear(SessionRows.MESSAGES, "s");
            unit.put(SessionRows.MESSAGES, message("s", 2));
        });

        assertThat(list(rows, Selector.of(SessionRows.MESSAGES, "s"))).extracting(Message::place)
                .containsExactly(2L);
        assertThat(list(rows, Selector.of(SessionRows.MESSAGES, "t"))).hasSize(1);
        bench().write(rows, unit -> unit.delete(SessionRows.MESSAGES, "s", 2L));
        assertThat(list(rows, Selector.of(SessionRows.MESSAGES, "s"))).isEmpty();
    }

    /** An operation that has loaded a row clears its parent and writes the row again. */
    @Test
    default void aRowThatWasLoadedIsClearedAndWrittenAgain() {
        Rows rows = bench().open();
        bench().write(rows, unit -> unit.put(SessionRows.MESSAGES, message("s", 1)));
        try (Rows.Transaction transaction = rows.begin()) {
            var unit = new Unit(transaction.load(List.of(Selector.one(SessionRows.MESSAGES, "s", 1L))));
            unit.clear(SessionRows.MESSAGES, "s");
            unit.put(SessionRows.MESSAGES, new Message("s", 1, 2, Json.TRUE));
            unit.keep();
            transaction.flush(unit.changes());
            transaction.commit(2);
        }

        assertThat(find(rows, SessionRows.MESSAGES, "s", 1L)).isEqualTo(new Message("s", 1, 2, Json.TRUE));
    }

    @Test
    default void aTransactionThatIsOnlyClosedChangesNothing() {
        Rows rows = bench().open();
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(changed(transaction, unit -> {
                unit.put(ScopeRows.SCOPES, ready("a", 2));
                unit.put(ScopeRows.SCOPES, ready("b", 2));
            }).changes());
        }
        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(changed(transaction, unit -> unit.clear(ScopeRows.SCOPES, "a")).changes());
        }

        assertThat(find(rows, ScopeRows.SCOPES, "a")).isEqualTo(ready("a", 1));
        assertThat(find(rows, ScopeRows.SCOPES, "b")).isNull();
    }

    @Test
    default void readersSeeWhatWasCommittedAndNothingElse() {
        Rows rows = bench().open();
        Rows other = bench().open();
        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(
                    changed(transaction, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1))).changes());
            assertThat(find(other, ScopeRows.SCOPES, "a")).isNull();
            assertThat(find(rows, ScopeRows.SCOPES, "a")).isNull();
            transaction.commit(1);
        }
        assertThat(find(other, ScopeRows.SCOPES, "a")).isEqualTo(ready("a", 1));
        assertThat(find(rows, ScopeRows.SCOPES, "a")).isEqualTo(ready("a", 1));
    }

    @Test
    default void aWriterSeesWhatOthersHaveCommitted() {
        Rows rows = bench().open();
        Rows other = bench().open();
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        bench().write(other, unit -> unit.put(ScopeRows.SCOPES, ready("a", 2)));

        try (Rows.Transaction transaction = rows.begin()) {
            assertThat(transaction.load(List.of(Selector.one(ScopeRows.SCOPES, "a")))
                    .row(ScopeRows.SCOPES, "a", null)).isEqualTo(ready("a", 2));
        }
    }

    @Test
    default void aClosedStoreFails() {
        Rows rows = bench().open();
        bench().open();
        rows.close();
        rows.close();

        assertThatThrownBy(rows::begin).isInstanceOfSatisfying(JournalException.class,
                e -> assertThat(e.code()).isEqualTo("journal_closed"));
        assertThatThrownBy(() -> rows.read(Operation.reading(into -> {}, unit -> 1)))
                .isInstanceOfSatisfying(JournalException.class,
                        e -> assertThat(e.code()).isEqualTo("journal_closed"));
    }
}
