package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.finish;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.input;
import static dev.belay.laws.store.StoreBench.present;
import static dev.belay.laws.store.StoreBench.start;
import static dev.belay.laws.store.StoreBench.state;
import static dev.belay.laws.store.StoreBench.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.Claim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A session may begin with a past: a fork, an import, a child. */
interface PastPromises extends StorePromises {

    /** The origin of the past in these tests. */
    Json ORIGIN = Json.of("{\"fork\":\"other\"}");

    /** Two turns, of two messages and of one. */
    static NewSession past(SessionId id, long n) {
        return new NewSession(id, incarnation(n), ORIGIN,
                List.of(turnOf(id, 1, Json.string("state 1"), 0, 2), turnOf(id, 2, null, 2, 1)),
                List.of(message(0, 1), message(1, 1), message(2, 2)), Json.string("state 1"));
    }

    private static TurnRow turnOf(SessionId id, long n, @Nullable Json state, long first, int messages) {
        return new TurnRow(id, n, "old" + n, at(-20),
                new TurnRow.End("receipt " + n, Json.string("old result " + n), state, first, messages,
                        at(-10)));
    }

    private static StoredMessage message(long place, long turn) {
        return new StoredMessage(place, turn, Json.string("old message " + place));
    }

    @Test
    default void pastIsReadAsItWasGiven() {
        StoreDriver store = bench().open();
        NewSession past = past(S, 1);
        assertThat(store.create(past, at(1))).isTrue();

        assertThat(store.head(S)).contains(new SessionHead(S, incarnation(1), 2, null, 3, 0,
                Json.string("state 1"), ORIGIN, SessionProfile.PLAIN, at(1), at(1)));
        assertThat(store.turns(S, 1, ALL)).isEqualTo(past.turns());
        assertThat(store.turn(S, 2)).contains(past.turns().get(1));
        assertThat(store.messages(S, 0, ALL)).isEqualTo(past.messages());
        assertThat(store.arrival(S, "old1")).as("its inputs did not arrive here").isEmpty();
        assertThat(store.waiting(S)).isEmpty();
        assertThat(store.state(TurnScope.id(incarnation(1), 1))).as("no scope").isEmpty();
    }

    @Test
    default void turnsGoOnAfterThePast() {
        StoreDriver store = bench().open();
        store.create(past(S, 1), at(1));
        Claim claim = start(store, "old1");
        assertThat(claim.scope()).isEqualTo(TurnScope.id(incarnation(1), 3));
        assertThat(head(store).lastPlace()).isOne();
        finish(store, claim, state(turn(3, "old1"), Json.TRUE));

        assertThat(head(store).revision()).isEqualTo(3);
        assertThat(head(store).messages()).isEqualTo(4);
        assertThat(head(store).state()).isEqualTo(Json.TRUE);
        assertThat(head(store).origin()).isEqualTo(ORIGIN);
        assertThat(present(store.turn(S, 3).orElseThrow().end()).firstMessage()).isEqualTo(3);
        assertThat(store.commit(claim, turn(2), false, at(9))).as("a receipt of the past")
                .isEqualTo(new Committed.Already(store.turn(S, 2).orElseThrow()));
    }

    @Test
    default void stateOfThePastNeedNotBeThatOfATurn() {
        StoreDriver store = bench().open();
        var empty = new NewSession(S, incarnation(1), Json.NULL, List.of(), List.of(message(0, 0)),
                Json.string("given"));
        assertThat(store.create(empty, at(1))).isTrue();

        assertThat(head(store).state()).isEqualTo(Json.string("given"));
        assertThat(head(store).origin()).isEqualTo(Json.NULL);
        assertThat(store.messages(S, 0, ALL)).containsExactly(message(0, 0));
        assertThat(head(store).revision()).isZero();
        finish(store, start(store, "a"), turn(1, "a"));
        assertThat(store.messages(S, 0, ALL)).extracting(StoredMessage::turn).containsExactly(0L, 1L);
        assertThat(head(store).state()).isEqualTo(Json.string("given"));
    }

    @Test
    default void nameThatIsTakenStaysAsItIs() {
        StoreDriver store = bench().open();
        accept(store, input("a"));
        String before = Picture.of(store, S);
        assertThat(store.create(past(S, 2), at(2))).isFalse();
        assertThat(Picture.of(store, S)).isEqualTo(before);
        var other = new SessionId("t");
        assertThat(store.create(past(other, 2), at(2))).isTrue();
        assertThat(store.create(past(other, 3), at(3))).isFalse();
        assertThat(store.head(other).orElseThrow().incarnation()).isEqualTo(incarnation(2));
    }

    @Test
    default void incarnationIsUsedOnce() {
        StoreDriver store = bench().open();
        store.create(past(S, 1), at(1));
        var other = new SessionId("t");
        assertThatThrownBy(() -> store.create(past(other, 1), at(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(incarnation(1).toString(), "another session");
        assertThat(store.head(other)).isEmpty();
        assertThat(store.messages(other, 0, ALL)).isEmpty();
    }

    @Test
    default void pastIsDeletedWithTheSession() {
        StoreDriver store = bench().open();
        store.create(past(S, 1), at(1));
        start(store, "a");
        assertThat(store.delete(S, at(2))).isTrue();
        start(store, S, incarnation(2), "a");

        assertThat(head(store).state()).isEqualTo(Json.NULL);
        assertThat(head(store).origin()).isEqualTo(Json.NULL);
        assertThat(store.messages(S, 0, ALL)).isEmpty();
        assertThat(store.turns(S, 1, ALL)).hasSize(1);
    }

    @Test
    default void pastWithAGapIsRefused() {
        List<StoredMessage> messages = past(S, 1).messages();
        List<TurnRow> turns = past(S, 1).turns();
        refused(turns, List.of(message(1, 1)), "places from 0 on", "at 0: 1");
        refused(turns, List.of(message(0, 1), message(2, 1)), "places from 0 on", "at 1: 2");
        refused(List.of(turns.get(1)), List.of(), "numbered from 1 on", "at 0: 2");
        refused(List.of(), messages, "order of their turns", "at 0: 1");
        refused(turns, List.of(message(0, 2), message(1, 1)), "order of their turns", "at 1: 1");
        refused(List.of(new TurnRow(S, 1, "a", at(0), null)), List.of(), "have an end", "turn 1");
        refused(List.of(turnOf(new SessionId("t"), 1, null, 0, 0)), List.of(), "belong to the session s",
                "turn 1: t");
        refused(turns, messages.subList(0, 2), "names its messages, 0 from 2", "turn 2");
        List<TurnRow> shifted = new ArrayList<>(turns);
        shifted.set(1, turnOf(S, 2, null, 1, 1));
        refused(shifted, messages, "names its messages, 1 from 2", "turn 2");
    }

    private static void refused(List<TurnRow> turns, List<StoredMessage> messages, String... words) {
        assertThatThrownBy(
                () -> new NewSession(S, incarnation(1), Json.NULL, turns, messages, Json.NULL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
