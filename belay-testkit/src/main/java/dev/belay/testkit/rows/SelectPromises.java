package dev.belay.testkit.rows;

import static dev.belay.testkit.rows.RowsBench.find;
import static dev.belay.testkit.rows.RowsBench.list;
import static dev.belay.testkit.rows.RowsBench.message;
import static dev.belay.testkit.rows.RowsBench.open;
import static dev.belay.testkit.rows.RowsBench.putAll;
import static dev.belay.testkit.rows.RowsBench.read;
import static dev.belay.testkit.rows.RowsBench.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.runtime.store.rows.Look;
import dev.belay.runtime.store.rows.NotSelectedException;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Rows;
import dev.belay.runtime.store.rows.ScopeRows;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.SessionRows;
import dev.belay.runtime.store.rows.SessionRows.Message;
import dev.belay.runtime.store.rows.Unit;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows are loaded by their keys and parents, and only rows that a selector names. */
interface SelectPromises extends RowsPromises {

    @Test
    default void aRowIsFoundByItsKey() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            putAll(unit, List.of(ready("a", 1), ready("b", 2)));
            unit.put(ScopeRows.WAITS, open("a", "w", null));
            unit.put(SessionRows.MESSAGES, message("s", 7));
        });

        assertThat(find(rows, ScopeRows.SCOPES, "b")).isEqualTo(ready("b", 2));
        assertThat(find(rows, ScopeRows.SCOPES, "c")).isNull();
        assertThat(find(rows, ScopeRows.WAITS, "a", "w")).isEqualTo(open("a", "w", null));
        assertThat(find(rows, ScopeRows.WAITS, "b", "w")).isNull();
        assertThat(find(rows, SessionRows.MESSAGES, "s", 7L)).isEqualTo(message("s", 7));
        assertThat(find(rows, SessionRows.MESSAGES, "s", 8L)).isNull();
    }

    /** A store may read and write many rows with one statement. */
    @Test
    default void manyRowsOfOneWriteAndOneReadAreToldApart() {
        Rows rows = bench().open();
        int[] present = IntStream.range(0, 150).toArray();
        bench().write(rows, unit -> {
            for (int number : present) {
                unit.put(ScopeRows.SCOPES, ready("a" + number, number));
                unit.put(SessionRows.MESSAGES, message("s" + number % 3, number));
            }
        });

        for (int number : present) {
            // rows that are missing stand between those that are there
            int seen = rows.read(new Operation<>(null, 0, into -> {
                for (int i = 0; i <= number; i++) {
                    into.add(Selector.one(ScopeRows.SCOPES, "a" + i));
                    into.add(Selector.one(ScopeRows.SCOPES, "b" + i));
                    into.add(Selector.one(SessionRows.MESSAGES, "s" + i % 3, (long) i));
                }
            }, null, unit -> {
                for (int i = 0; i <= number; i++) {
                    assertThat(unit.get(ScopeRows.SCOPES, "a" + i)).isEqualTo(ready("a" + i, i));
                    assertThat(unit.get(ScopeRows.SCOPES, "b" + i)).isNull();
                    assertThat(unit.get(SessionRows.MESSAGES, "s" + i % 3, (long) i))
                            .isEqualTo(message("s" + i % 3, i));
                }
                return number;
            }));
            assertThat(seen).isEqualTo(number);
        }
    }

    @Test
    default void rowsOfAParentComeInTheOrderOfTheirChildren() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            for (long place : List.of(10L, 2L, 1L, 100L)) {
                unit.put(SessionRows.MESSAGES, message("s", place));
            }
            unit.put(SessionRows.MESSAGES, message("t", 3));
            List.of("b", "a", "c").forEach(name -> unit.put(ScopeRows.WAITS, open("s", name, null)));
        });

        assertThat(list(rows, Selector.of(SessionRows.MESSAGES, "s"))).extracting(Message::place)
                .containsExactly(1L, 2L, 10L, 100L);
        assertThat(list(rows, new Selector.Of<>(SessionRows.MESSAGES, "s", 2L, 2)))
                .extracting(Message::place)
                .containsExactly(2L, 10L);
        assertThat(list(rows, new Selector.Of<>(SessionRows.MESSAGES, "s", 3L, 9)))
                .extracting(Message::place)
                .containsExactly(10L, 100L);
        assertThat(list(rows, Selector.of(ScopeRows.WAITS, "s"))).extracting(Wait::name)
                .containsExactly("a", "b", "c");
        assertThat(list(rows, Selector.of(SessionRows.MESSAGES, "u"))).isEmpty();
        assertThat(list(rows, new Selector.Of<>(SessionRows.MESSAGES, "s", null, 0))).isEmpty();
    }

    /** What the first wave finds is of the same moment as what the second one finds, also if another owner writes between them. */
    @Test
    default void aReadOfTwoWavesSeesOneMoment() {
        Rows rows = bench().open();
        Rows other = bench().open();
        bench().write(other, unit -> putAll(unit, List.of(ready("a", 1), ready("b", 1))));

        List<Scope> seen = rows.read(new Operation<>(null, 0,
                into -> into.add(Selector.one(ScopeRows.SCOPES, "a")), (unit, into) -> {
                    bench().write(other, both -> putAll(both, List.of(ready("a", 2), ready("b", 2))));
                    into.add(Selector.one(ScopeRows.SCOPES, "b"));
                }, unit -> List.of(Objects.requireNonNull(unit.get(ScopeRows.SCOPES, "a")),
                        Objects.requireNonNull(unit.get(ScopeRows.SCOPES, "b")))));

        assertThat(seen).isIn(List.of(ready("a", 1), ready("b", 1)), List.of(ready("a", 2), ready("b", 2)));
    }

    @Test
    default void allRowsComeInTheOrderOfTheirParents() {
        Rows rows = bench().open();
        bench().write(rows, unit -> putAll(unit, List.of(ready("c", 1), ready("a", 2), ready("b", 3))));

        assertThat(list(rows, new Selector.All<>(ScopeRows.SCOPES, "", 9))).extracting(Scope::id)
                .containsExactly("a", "b", "c");
        assertThat(list(rows, new Selector.All<>(ScopeRows.SCOPES, "a", 1))).extracting(Scope::id)
                .containsExactly("b");
        assertThat(list(rows, new Selector.All<>(ScopeRows.SCOPES, "aa", 9))).as("it need not exist")
                .extracting(Scope::id)
                .containsExactly("b", "c");
    }

    @Test
    default void theFirstRowOfEachParentComesInTheOrderOfTheParents() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            for (String session : List.of("b", "a", "B")) {
                List.of(10, 2).forEach(place -> unit.put(SessionRows.MESSAGES, message(session, place)));
            }
        });

        assertThat(list(rows, new Selector.All<>(SessionRows.MESSAGES, "", 9)))
                .extracting(row -> row.session() + row.place())
                .containsExactly("B2", "a2", "b2");
        assertThat(list(rows, new Selector.All<>(SessionRows.MESSAGES, "B", 1)))
                .extracting(Message::session)
                .containsExactly("a");
    }

    @Test
    default void aRowThatNoSelectorHasNamedIsRefused() {
        Rows rows = bench().open();
        Selector<Message> some = Selector.of(SessionRows.MESSAGES, "s");
        Operation<Object> row = Operation.reading(into -> into.add(some),
                unit -> unit.get(SessionRows.MESSAGES, "s", 1L) == null);
        Operation<Object> others = Operation.reading(into -> into.add(some),
                unit -> unit.list(new Selector.Of<>(SessionRows.MESSAGES, "s", 1L, 9)));

        assertThatThrownBy(() -> rows.read(row)).isInstanceOf(NotSelectedException.class)
                .hasMessageContaining("message s 1");
        assertThatThrownBy(() -> rows.read(others)).isInstanceOf(NotSelectedException.class);
        try (Rows.Transaction transaction = rows.begin()) {
            Look look = transaction.load(List.of(some));
            assertThatThrownBy(() -> look.row(SessionRows.MESSAGES, "s", 1L))
                    .isInstanceOf(NotSelectedException.class);
        }
    }

    @Test
    default void theSecondWaveIsNamedByTheFirst() {
        Rows rows = bench().open();
        bench().write(rows, unit -> {
            unit.put(ScopeRows.SCOPES, ready("a", 1).cancelled("b"));
            unit.put(ScopeRows.SCOPES, ready("b", 2));
        });
        var chained = new Operation<List<Scope>>(null, 0,
                into -> into.add(Selector.one(ScopeRows.SCOPES, "a")),
                (unit, into) -> into.add(Selector.one(ScopeRows.SCOPES,
                        next(unit))),
                unit -> List.of(unit.get(ScopeRows.SCOPES, "a"), unit.get(ScopeRows.SCOPES, "b")));

        assertThat(rows.read(chained)).extracting(Scope::id).containsExactly("a", "b");
        try (Rows.Transaction transaction = rows.begin()) {
            transaction.load(List.of(Selector.one(ScopeRows.SCOPES, "a")));
            Look look = transaction.load(List.of(Selector.one(ScopeRows.SCOPES, "b")));
            assertThat(look.row(ScopeRows.SCOPES, "a", null)).isNotNull();
            assertThat(look.row(ScopeRows.SCOPES, "b", null)).isEqualTo(ready("b", 2));
        }
    }

    private static String next(Unit unit) {
        Scope first = Objects.requireNonNull(unit.get(ScopeRows.SCOPES, "a"));
        return Objects.requireNonNull(first.cancelReason());
    }

    @Test
    default void aReaderDecidesOnTheCallersThread() {
        Rows rows = bench().open();

        Thread decided = read(rows, List.of(), unit -> Thread.currentThread());
        assertThat(decided).isSameAs(Thread.currentThread());
    }

    @Test
    default void anExceptionOfAReaderReachesItsCaller() {
        Rows rows = bench().open();
        var failure = new IllegalStateException("no");
        var inFirst = Operation.reading(into -> {
            throw failure;
        }, unit -> 1);
        var inSecond = new Operation<>(null, 0, into -> {}, (unit, into) -> {
            throw failure;
        }, unit -> 1);
        var inDecide = Operation.reading(into -> {}, unit -> {
            throw failure;
        });

        for (Operation<?> read : List.of(inFirst, inSecond, inDecide)) {
            assertThatThrownBy(() -> rows.read(read)).isSameAs(failure);
        }
        assertThat(find(rows, ScopeRows.SCOPES, "a")).as("it still reads").isNull();
    }
}
