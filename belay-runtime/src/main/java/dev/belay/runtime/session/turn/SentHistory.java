package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.model.MessageLog;
import dev.belay.model.Usage;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateView;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.history.TurnHistory;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.state.TurnSpending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives the history of a turn what it needs of the turn, and keeps which view the coming question sends. Confined to the turn's thread. */
final class SentHistory implements TurnHistory.Turn {

    private final SessionTurn turn;
    /** Made when it is first asked for. */
    private @Nullable TurnHistory history;
    private TurnHistory.@Nullable Shown viewed;

    SentHistory(SessionTurn turn) {
        this.turn = turn;
    }

    TurnHistory get() {
        TurnHistory made = history;
        if (made == null) {
            made = new TurnHistory(this, turn.image().messages(), turn.image().skipped(),
                    turn.saved().history(), turn.image().view());
            history = made;
        }
        return made;
    }

    /** What is sent of messages, as compactions and views say. */
    MessageLog sent(MessageLog messages) {
        viewed = get().shown();
        return get().sent(messages, viewed);
    }

    /** What the record says of the view, or null if all is sent. */
    @Nullable
    Json view() {
        return viewed == null ? null : viewed.toJson();
    }

    @Override
    public EffectScope scope() {
        return turn.scope();
    }

    @Override
    public long number() {
        return turn.start().turn();
    }

    @Override
    public MessageLog log() {
        return turn.log();
    }

    @Override
    public int older() {
        return turn.image().messages().size();
    }

    @Override
    public SessionPlugins plugins() {
        return turn.plugins().session();
    }

    @Override
    public StateView stateView() {
        return new StateView(turn.plugins().place(), turn.plugins().states());
    }

    @Override
    public TimeSource time() {
        return turn.services().time();
    }

    @Override
    public @Nullable String standingInstructions() {
        return turn.start().input().settings().instructions() == null ? turn.image().instructions() : null;
    }

    @Override
    public @Nullable Json savedIn(long number) {
        return SavedState.historyIn(turn.services().store(), turn.start().session(), number);
    }

    @Override
    public List<String> pausedBy() {
        return turn.pausedBy();
    }

    @Override
    public Models models() {
        return turn.services().settings().models();
    }

    @Override
    public boolean stops() {
        return turn.services().host().stops(scope().id());
    }

    @Override
    public Json spending(String model, Usage usage) {
        return TurnSpending.left(model, usage, models().cost(model, usage));
    }

    @Override
    public void spent(Json recorded) {
        turn.state().spending().add(recorded);
    }

    @Override
    public void lost() {
        turn.state().lostRound();
    }

    @Override
    public void tell(Compaction compaction) {
        turn.tell(new TurnEvent.Plugin(number(), compaction.plugin(), "history.compacted",
                Json.from(compaction)));
    }
}
