package dev.belay.runtime.session.turn;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.store.TurnCommit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the result and the commit of a turn. */
public final class TurnCommits {

    private TurnCommits() {}

    public static TurnResult result(TurnStart start, TurnState state, TurnEnd end, List<String> doubts) {
        return new TurnResult(start.session(), start.turn(), start.inputId(), end, state.rounds(),
                state.spending().usage(), state.spending().cost(), state.unrecorded(), doubts);
    }

    public static TurnCommit of(TurnStart start, TurnState state, TurnResult result,
            @Nullable Json newState, List<TurnCall> calls, List<OpenDoubt.Of> doubts) {
        List<Json> added = state.takeAdded();
        List<String> taken = List.copyOf(state.taken());
        Json json = result.toJson();
        return new TurnCommit(start.session(), start.turn(), receipt(start, json, newState, taken, added),
                added, newState, json, taken, TurnCalls.rows(calls), doubts);
    }

    /** Tells of doubts that were opened by the commit. */
    public static void tell(SessionStream stream, TurnStart start, List<OpenDoubt.Of> opened) {
        RecordedDoubts.tell(start.scope(), opened,
                event -> stream.tell(new TurnEvent.Call(start.session(), start.turn(), event)));
    }

    /** Identifies all that the turn leaves behind; no time and no place is in it. */
    private static String receipt(TurnStart start, Json result, @Nullable Json newState, List<String> taken,
            List<Json> added) {
        var hash = new FramedHash().add(start.incarnation().bytes()).add(start.turn()).add(result.text());
        hash.add(newState == null ? "" : newState.text()).add(taken.size());
        taken.forEach(hash::add);
        added.forEach(message -> hash.add(message.text()));
        return hash.hex();
    }
}
