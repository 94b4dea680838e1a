package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ABC;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.ending;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.keep;
import static dev.belay.laws.store.StoreBench.keeps;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.startProcess;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.law.ProcessRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An attachment of a turn is kept by its session and by sessions that share its past, until they are deleted (M.3, T.4). */
interface KeepPromises extends StorePromises {

    /** A session that shares the past of the default session. */
    SessionId FORK = new SessionId("fork");

    /** The same bytes as another type. */
    KeptBytes ABC_AS_PICTURE = KeptBytes.of(new byte[]{'a', 'b', 'c'}, "image/png");
    /** Their hash begins with {@code ba82}, that of {@code abc} with {@code ba78}. */
    KeptBytes LAST = KeptBytes.of(new byte[]{'A', 'A', 'A', 'A', 'A', 'A', 'A', 'a'}, "text/plain");

    private static NewSession fork() {
        return PastPromises.past(FORK, 2).keepingOf(incarnation(1));
    }

    /** Deletes all that may be deleted. */
    private static void collect(StoreDriver store) {
        store.collectEffects(at(99));
        store.collectOutputs(at(99));
    }

    @Test
    default void whatATurnKeepsOutlivesItsRecords() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        keep(store, claim);
        finish(store, claim, turn(1, "a"));
        collect(store);
        Claim next = start(store, "b");

        assertThat(TurnScope.keeper(next.scope())).isEqualTo(TurnScope.keeper(claim.scope()));
        assertThat(bench().open().kept(TurnScope.keeper(next.scope()), ABC.reference()))
                .hasValueSatisfying(bytes -> assertThat(bytes).containsExactly('a', 'b', 'c'));
    }

    @Test
    default void deletedSessionKeepsNothing() {
        StoreDriver store = bench().open();
        keep(store, start(store, "a"));
        var other = new SessionId("other");
        keep(store, start(store, other, incarnation(7), "a"));
        store.delete(S, at(5));
        assertThat(keeps(store, incarnation(1))).isFalse();
        assertThat(store.collectOutputs(at(99))).as("another one keeps the same").isZero();
        assertThat(keeps(store, incarnation(7))).isTrue();

        store.delete(other, at(6));
        assertThat(store.collectOutputs(at(99))).isEqualTo(1);
    }

    @Test
    default void newSessionKeepsWhatItBeginsWith() {
        StoreDriver store = bench().open();
        assertThat(store.create(PastPromises.past(FORK, 2).keeping(List.of(ABC, ABC_AS_PICTURE)), at(1)))
                .isTrue();
        String keeper = TurnScope.prefix(PastPromises.past(FORK, 2).incarnation());
        collect(store);

        assertThat(bench().open().kept(keeper, ABC.reference())).isPresent();
        assertThat(bench().open().kept(keeper, ABC_AS_PICTURE.reference())).isPresent();
    }

    @Test
    default void allThatIsKeptIsReadInOrder() {
        StoreDriver store = bench().open();
        store.create(PastPromises.past(FORK, 2).keeping(List.of(LAST, ABC_AS_PICTURE, ABC)), at(1));
        String keeper = TurnScope.prefix(PastPromises.past(FORK, 2).incarnation());
        List<String> names = new ArrayList<>();
        for (var next = store.nextKept(keeper, ""); next.isPresent(); next = store
                .nextKept(keeper, names.getLast())) {
            names.add(next.get().name());
        }

        assertThat(names).containsExactly(ABC_AS_PICTURE.name(), ABC.name(), LAST.name());
        assertThat(store.nextKept("turn/nothing", "")).isEmpty();
    }

    @Test
    default void turnOfADeletedSessionCannotKeepAnything() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        bench().open().delete(S, at(2));

        assertThat(store.keep(claim, TurnScope.keeper(claim.scope()), ABC, at(3))).isFalse();
        collect(store);
        assertThat(store.collectOutputs(at(99))).isZero();
    }

    @Test
    default void sessionOfTheSameNameKeepsNothingOfTheFirst() {
        StoreDriver store = bench().open();
        keep(store, start(store, "a"));
        store.delete(S, at(2));
        start(store, S, incarnation(3), "a");

        assertThat(keeps(store, incarnation(3))).isFalse();
    }

    @Test
    default void forkKeepsWhatTheFirstKeptAfterThatIsDeleted() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        keep(store, claim);
        finish(store, claim, turn(1, "a"));
        assertThat(store.create(fork(), at(3))).isTrue();
        store.delete(S, at(4));
        collect(store);
        assertThat(keeps(store, incarnation(2))).isTrue();
        assertThat(keeps(store, incarnation(1))).isFalse();

        store.delete(FORK, at(5));
        assertThat(store.collectOutputs(at(99))).isEqualTo(1);
    }

    @Test
    default void forkAndFirstKeepEachForThemselves() {
        StoreDriver store = bench().open();
        Claim claim = start(store, "a");
        keep(store, claim);
        store.create(fork(), at(3));
        KeptBytes later = KeptBytes.of(new byte[]{1}, "a/b");
        store.keep(claim, TurnScope.keeper(claim.scope()), later, at(4));
        assertThat(store.kept(TurnScope.prefix(incarnation(2)), later.reference()))
                .as("what came after the fork")
                .isEmpty();

        store.delete(FORK, at(5));
        collect(store);
        assertThat(keeps(store, incarnation(1))).isTrue();
    }

    @Test
    default void forkOfWhatIsGoneIsRefused() {
        StoreDriver store = bench().open();
        keep(store, start(store, "a"));
        store.delete(S, at(2));

        assertThatThrownBy(() -> store.create(fork(), at(3))).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("unknown_session"));
        assertThat(store.head(FORK)).as("nothing was made").isEmpty();
        assertThat(store.create(PastPromises.past(FORK, 2), at(4))).as("the store goes on").isTrue();
    }

    @Test
    default void forkUnderATakenNameChangesNothing() {
        StoreDriver store = bench().open();
        keep(store, start(store, "a"));
        start(store, FORK, incarnation(9), "a");

        assertThat(store.create(fork(), at(3))).isFalse();
        assertThat(keeps(store, incarnation(2))).isFalse();
    }

    @Test
    default void pastThatComesFromElsewhereKeepsNothing() {
        StoreDriver store = bench().open();
        keep(store, start(store, "a"));
        store.create(PastPromises.past(FORK, 2), at(3));

        assertThat(keeps(store, incarnation(2))).isFalse();
    }

    @Test
    default void processKeepsByItselfUntilItsRecordsGo() {
        StoreDriver store = bench().open();
        Claim claim = startProcess(store, "p");
        StoreDriver journal = store;
        keep(store, claim);
        assertThat(keeps(store, claim.scope().value())).isTrue();
        assertThat(store.end(claim, ending("p", 0), at(4))).isEqualTo(ProcessRules.Ended.DONE);
        collect(store);
        assertThat(keeps(store, claim.scope().value())).as("its records are gone").isFalse();
        assertThat(journal.collectOutputs(at(99))).as("and so are the bytes").isZero();
    }
}
