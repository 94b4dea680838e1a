package dev.belay.runtime.session.turn;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.body.CallCapabilities;
import dev.belay.runtime.session.body.CallChildren;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import org.jspecify.annotations.Nullable;

/** Makes the dispatchers of turns: for their tools, told into the stream of their session. Thread-safe. */
public final class TurnDispatchers {

    private final SessionEngine engine;
    private final ToolDispatcher dispatcher;
    private volatile @Nullable Offering offering;

    private record Offering(ToolCatalog catalog, ToolDispatcher dispatcher) {}

    TurnDispatchers(SessionEngine engine, ToolDispatcher dispatcher) {
        this.engine = engine;
        this.dispatcher = dispatcher;
    }

    /** For the members of a catalog. */
    public ToolDispatcher of(ToolCatalog catalog, SessionTurn turn) {
        return offering(catalog).ownedBy(owner(turn));
    }

    /** For one tool of somebody's own loop. */
    public ToolDispatcher of(ToolProvider tool, SessionTurn turn) {
        return dispatcher.offering(tool, manifest -> true).ownedBy(owner(turn));
    }

    /** What a turn adds to its calls. */
    private CallOwner owner(SessionTurn turn) {
        return new CallOwner() {

            private final DispatchListener listener = new DispatchListener() {
                @Override
                public void on(CallEvent event) {
                    turn.stream().tell(new TurnEvent.Call(event.call().turn(), event));
                }

                @Override
                public boolean isPrompt() {
                    return true;
                }
            };

            @Override
            public DispatchListener listener() {
                return listener;
            }

            @Override
            public Json inputs() {
                return turn.start().input().with();
            }

            @Override
            public ToolContext around(ToolContext context, CallReference call, Left left) {
                return new CallCapabilities(engine, turn, call, context, left);
            }

            @Override
            public void note(CallReference call, Aftermath aftermath) {
                turn.note(call, aftermath);
            }

            // children that a stopped call has begun end with it; the process that ran its body may be gone
            @Override
            public void ended(EffectScope scope, CallReference call, ToolOutcome outcome) {
                CallChildren.whyStopped(scope, outcome)
                        .ifPresent(reason -> CallChildren.of(engine, scope.id(), call.round(), call.index())
                                .stop(reason));
            }
        };
    }

    /** Most sessions have the catalog that the last one had. */
    private ToolDispatcher offering(ToolCatalog catalog) {
        Offering known = offering;
        if (known == null || !known.catalog().equals(catalog)) {
            known = new Offering(catalog, dispatcher.offering(catalog.provider(), catalog::offers));
            offering = known;
        }
        return known.dispatcher();
    }

    /** What bodies are supplied with. */
    HostValues hostValues() {
        return dispatcher.hostValues();
    }
}
