package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.store.TurnScope;
import dev.belay.tool.ToolOutcome;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Runs the turns whose loop the runtime owns, and their calls. Thread-safe. */
public final class TurnRunner implements ScopeRunner {

    private final Agents agents;
    /** Turns that run here, for the calls that are children of their scopes. */
    private final Map<ScopeId, TurnLoop> live = new ConcurrentHashMap<>();

    public TurnRunner(Agents agents) {
        this.agents = agents;
    }

    @Override
    public Json run(EffectScope scope, ScopeInput input) {
        TurnStart start = agents.shared().inbox().start(scope.id(), input);
        TurnLoop turn = null;
        try {
            turn = TurnEntrance.enter(new TurnLoop(agents.of(start.agent()), scope, start));
            agents.unentered().remove(scope.id());
            return run(scope, start, turn);
        } catch (BelayException e) {
            throw agents.unentered()
                    .rest(scope, start, e, TurnEntrance.isUntouched(turn), agents.shared().time().now());
        }
    }

    private Json run(EffectScope scope, TurnStart start, TurnLoop turn) {
        live.put(scope.id(), turn);
        turn.opened(scope.id());
        try {
            return Carriers.within(context(start), turn::run);
        } finally {
            turn.closed(scope.id());
            live.remove(scope.id(), turn);
        }
    }

    @Override
    public ToolOutcome child(EffectScope scope, ScopeInput input) {
        TurnLoop turn = Objects.requireNonNull(live.get(scope.id()), "the turn of a call runs here");
        return Carriers.within(context(turn.start()), () -> turn.dispatcher(input).call(scope, input));
    }

    /** The turn runs in the context of the caller whose input started it. */
    private Carriers.Captured context(TurnStart start) {
        return agents.shared()
                .inbox()
                .carriers()
                .of(start.input().manner().context())
                .marked(start::marks);
    }

    /** All turns of a session keep their attachments together, those with a program's loop included. */
    @Override
    public String keeper(ScopeId scope) {
        return TurnScope.keeper(scope);
    }

    /** Tells the session, also of a call in a program's loop. */
    @Override
    public void late(ScopeId scope, EffectKey key, Json result) {
        LateNotice.tell(agents.shared(), scope, key, result);
    }
}
