package dev.belay.laws.store;

import static dev.belay.laws.store.StoreBench.ALL;
import static dev.belay.laws.store.StoreBench.S;
import static dev.belay.laws.store.StoreBench.accept;
import static dev.belay.laws.store.StoreBench.at;
import static dev.belay.laws.store.StoreBench.head;
import static dev.belay.laws.store.StoreBench.incarnation;
import static dev.belay.laws.store.StoreBench.present;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Committed;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.journal.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Inputs, messages, states and results of a few MiB work. */
interface SizePromises extends StorePromises {

    /** Larger than any limit at which a store splits content. */
    int LARGE = 5 << 20;

    private static Json large(char c) {
        return Json.string("\u00e4" + String.valueOf(c).repeat(LARGE));
    }

    @Test
    default void largeTurnIsReadAsItWasWritten() {
        StoreDriver store = bench().open();
        var input = new Arrival("a", Arrival.Kind.INPUT, "hash", large('i'));
        var waiting = new Arrival("b", Arrival.Kind.INPUT, "hash", large('w'));
        Acceptance started = store.accept(S, incarnation(1), input, 0, true, at(1));
        Claim claim = present(((Acceptance.Started) started).claim());
        assertThat(claim.input().value().get("content")).contains(large('i'));
        assertThat(accept(store, waiting)).isEqualTo(new Acceptance.Waits(2));
        var commit = new TurnCommit(S, 1, "receipt", List.of(large('m'), Json.TRUE, large('n')), large('s'),
                large('r'), List.of("a"));

        Claim next = StoreBench.next(store.commit(claim, commit, true, at(2)));

        assertThat(next.input().value().get("content")).contains(large('w'));
        assertThat(store.messages(S, 0, ALL)).extracting(StoredMessage::message)
                .isEqualTo(commit.messages());
        assertThat(head(store).state()).isEqualTo(large('s'));
        TurnRow row = store.turn(S, 1).orElseThrow();
        assertThat(present(row.end()).result()).isEqualTo(large('r'));
        assertThat(present(row.end()).state()).isEqualTo(large('s'));
        assertThat(store.state(claim.scope()).orElseThrow().result()).isEqualTo(large('r'));
        assertThat(store.commit(claim, commit, true, at(3))).isEqualTo(new Committed.Already(row));
        assertThat(store.arrival(S, "a").orElseThrow().arrival().content()).isEqualTo(large('i'));
    }

    @Test
    default void largeResultOutlivesTheCollectors() {
        StoreDriver store = bench().open();
        Claim claim = StoreBench.start(store, "a");
        Json result = Json.string("r".repeat(70_000));
        StoreBench.finish(store, claim,
                new TurnCommit(S, 1, "receipt", List.of(), null, result, List.of("a")));
        store.collectEffects(at(99));
        store.collectOutputs(at(99));

        assertThat(present(store.turn(S, 1).orElseThrow().end()).result()).isEqualTo(result);
        TurnRow row = store.turn(S, 1).orElseThrow();
        var copy = new SessionId("copy");
        var copied = new TurnRow(copy, 1, row.input(), row.acceptedAt(), row.end());
        store.create(new NewSession(copy, incarnation(2), Json.NULL, List.of(copied), List.of(), Json.NULL),
                at(5));
        store.delete(S, at(6));
        store.collectOutputs(at(99));
        assertThat(store.turn(copy, 1)).as("a copy stands on its own").contains(copied);
    }
}
