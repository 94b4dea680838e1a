package dev.belay.runtime.session.turn;

import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.body.CallCapabilities;
import dev.belay.runtime.session.stream.SessionStream;
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
        return hearing(offering(catalog), turn);
    }

    /** For one tool of somebody's own loop. */
    public ToolDispatcher of(ToolProvider tool, SessionTurn turn) {
        return hearing(dispatcher.offering(tool, manifest -> true), turn);
    }

    private ToolDispatcher hearing(ToolDispatcher offered, SessionTurn turn) {
        SessionStream stream = turn.stream();
        return offered.hearing(new DispatchListener() {
            @Override
            public void on(CallEvent event) {
                stream.tell(new TurnEvent.Call(event.call().turn(), event));
            }

            @Override
            public boolean isPrompt() {
                return true;
            }
        }, turn::note, (context, call, left) -> new CallCapabilities(engine, turn, call, context, left),
                turn.start().input().with());
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
