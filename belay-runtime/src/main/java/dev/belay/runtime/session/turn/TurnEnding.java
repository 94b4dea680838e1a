package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.journal.ClaimedScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How one turn is committed: result, new state of the session and end of the scope in one write. Confined to the turn's thread. */
public final class TurnEnding {

    private final SessionTurn turn;
    private final List<String> doubts = new ArrayList<>(0);
    /** Actions that the commit records. */
    private List<ActedOn> last = List.of();

    TurnEnding(SessionTurn turn) {
        this.turn = turn;
    }

    /** The turn leaves doubts. */
    public void doubted(List<String> ids) {
        for (String id : ids) {
            if (!doubts.contains(id)) {
                doubts.add(id);
            }
        }
    }

    /** Commits the turn as it is. */
    public Json commit(TurnEnd end) {
        TurnState state = turn.state();
        CallChildren.stopIfCancelled(turn, state);
        if (turn.start().input().manner().action() == null) { // a turn that asks no model is none to its plugins
            turn.plugins().ending(TurnCommits.ended(end, state));
        }
        last = turn.commands().actions().unrecorded();
        last.forEach(state::acted); // no record has them, so the commit does
        return commit(end, state, changed(), List.of());
    }

    /** The session's new state, or null for the one it has. */
    private @Nullable Json changed() {
        SavedState saved = turn.saved();
        Json tools = turn.tools().saved();
        Json kept = turn.plugins().states().kept(() -> turn.scope().attachments());
        boolean outputs = turn.outputs().areKept();
        boolean same = tools == null && !turn.config().isChanged() && Objects.equals(kept, saved.plugins())
                && outputs == saved.outputs() && !turn.history().isChanged();
        return same
                ? null
                : new SavedState(tools == null ? saved.tools() : tools, turn.config().session(), kept,
                        outputs,
                        turn.history().saved()).toJson();
    }

    /**
     * Commits another account of the turn.
     *
     * @param changed the session's new state, or null for the one it has
     * @param opens doubts about calls that do not go on
     */
    public Json commit(TurnEnd end, TurnState of, @Nullable Json changed, List<OpenDoubt.Of> opens) {
        TurnServices services = turn.services();
        TurnStart start = turn.start();
        TurnHooked hooked = turn.plugins().ending();
        of.spending().add(turn.config().modelName(), turn.unrecorded(), services.settings().models());
        TurnResult.Ended result = TurnCommits.result(start, of, end, List.copyOf(doubts));
        TurnCommit commit = TurnCommits.of(start, of, result, changed, turn.calls(of), opens,
                TurnCommits.queued(start, hooked, services.inbox().now()));
        for (String token : of.settles()) {
            turn.notify(token, commit.result());
        }
        ClaimedScope.of(turn.scope()).endWith((claim, ignored, at) -> {
            boolean done = services.inbox().commit(claim, commit, at, () -> {
                last.forEach(one -> turn.told(one.left()));
                remember(of, commit, result);
                TurnCommits.tell(turn.stream(), start, opens);
                turn.told(hooked.left());
                turn.tell(new TurnEvent.Committed(start.turn(), result));
                turn.plugins().committed(TurnCommits.ended(end, of));
            });
            if (done) {
                turn.ended();
            }
            return done;
        });
        return commit.result();
    }

    /** What the next turn starts from. */
    private void remember(TurnState of, TurnCommit commit, TurnResult.Ended result) {
        SessionImage image = turn.image();
        Json kept = commit.state() == null ? image.state() : commit.state();
        turn.services()
                .inbox()
                .images()
                .put(turn.start().session(),
                        image.after(of.messages(), kept, result.isReadAsIs() ? result : null,
                                of == turn.state() ? turn.history().view() : null));
    }
}
