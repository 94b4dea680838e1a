package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.changed;
import static dev.belay.testkit.rows.RowsBench.list;
import static dev.belay.testkit.rows.RowsBench.read;
import static dev.belay.testkit.rows.RowsBench.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.OwnerLostException;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows;
import dev.belay.runtime.store.rows.StoreRows.Owner;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An owner lives until it is closed, and its last commit can be asked for. */
interface OwnerPromises extends RowsPromises {

    private static boolean isAlive(Rows asked, String owner) {
        boolean read = read(asked, List.of(), unit -> unit.isAlive(owner));
        try (Rows.Transaction transaction = asked.begin()) {
            assertThat(transaction.load(List.of()).isAlive(owner)).isEqualTo(read);
        }
        return read;
    }

    @Test
    default void anOwnerLivesUntilItIsClosed() {
        Rows first = bench().open();
        Rows second = bench().open();

        assertThat(first.owner()).isNotEqualTo(second.owner());
        assertThat(isAlive(first, first.owner())).isTrue();
        assertThat(isAlive(first, second.owner())).isTrue();
        second.close();
        assertThat(isAlive(first, second.owner())).isFalse();
        assertThat(isAlive(first, "0".repeat(32))).as("never opened").isFalse();
    }

    @Test
    default void anOwnerThatEndedLeavesItsRow() {
        Rows first = bench().open();
        Rows second = bench().open();
        bench().write(second, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        second.close();

        assertThat(list(first, new Selector.All<>(StoreRows.OWNERS, "", 9)))
                .containsExactlyInAnyOrder(new Owner(first.owner(), 0), new Owner(second.owner(), 1));
        bench().write(first, unit -> unit.delete(StoreRows.OWNERS, second.owner(), null));
        assertThat(list(first, new Selector.All<>(StoreRows.OWNERS, "", 9))).extracting(Owner::id)
                .containsExactly(first.owner());
    }

    @Test
    default void aCommitIsFoundByItsNumber() {
        Rows rows = bench().open();
        Rows other = bench().open();
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        assertThat(rows.hasCommitted(1)).isTrue();
        assertThat(other.hasCommitted(1)).as("of another owner").isFalse();

        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(
                    changed(transaction, unit -> unit.put(ScopeRows.SCOPES, ready("b", 1))).changes());
        }
        bench().skip(rows); // a commit that has not happened never does
        assertThat(rows.hasCommitted(2)).isFalse();
        assertThat(bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("b", 1)))).isEqualTo(3);
        assertThat(rows.hasCommitted(3)).isTrue();
        assertThat(rows.hasCommitted(2)).isFalse();
    }

    @Test
    default void anOwnerWhoseRowIsGoneCommitsNothing() {
        Rows rows = bench().open();
        Rows other = bench().open();
        bench().write(other, unit -> unit.delete(StoreRows.OWNERS, rows.owner(), null));

        try (Rows.Transaction transaction = rows.begin()) {
            transaction.flush(
                    changed(transaction, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1))).changes());
            assertThatThrownBy(() -> transaction.commit(1)).isInstanceOfSatisfying(OwnerLostException.class,
                    e -> assertThat(e.told()).isInstanceOf(JournalException.class)
                            .hasMessageContaining("declared this journal"));
        }
        assertThatThrownBy(() -> rows.hasCommitted(1)).isInstanceOf(OwnerLostException.class);
        assertThat(RowsBench.find(other, ScopeRows.SCOPES, "a")).isNull();
    }

    @Test
    default void theVersionChangesWithTheCommitsOfOthers() {
        Rows rows = bench().open();
        Rows other = bench().open();
        long before = rows.version();
        assertThat(rows.version()).isEqualTo(before);
        bench().write(rows, unit -> unit.put(ScopeRows.SCOPES, ready("a", 1)));
        assertThat(rows.version()).as("its own commit").isEqualTo(before);

        bench().write(other, unit -> unit.put(ScopeRows.SCOPES, ready("b", 1)));
        long after = rows.version();
        assertThat(after).isNotEqualTo(before);
        bench().write(other, unit -> unit.put(ScopeRows.SCOPES, ready("b", 2)));
        assertThat(rows.version()).isNotEqualTo(before).isNotEqualTo(after);
    }
}
