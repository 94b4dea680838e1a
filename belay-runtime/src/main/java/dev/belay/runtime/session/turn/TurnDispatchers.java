package dev.belay.runtime.session.turn;

import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import org.jspecify.annotations.Nullable;

/** Dispatchers for the tools that turns offer. Thread-safe. */
public final class TurnDispatchers {

    private final ToolDispatcher dispatcher;
    private volatile @Nullable Offering offering;

    private record Offering(ToolCatalog catalog, ToolDispatcher dispatcher) {}

    /**
     * The dispatchers of a runtime.
     *
     * @param dispatcher with the slots, hooks and time that all of them share
     */
    public TurnDispatchers(ToolDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** For the members of a catalog; kept, because most sessions have the catalog that the last one had. */
    ToolDispatcher of(ToolCatalog catalog) {
        Offering known = offering;
        if (known == null || !known.catalog().equals(catalog)) {
            known = new Offering(catalog,
                    dispatcher.offering(catalog.provider(), catalog::offers, catalog.orphans()));
            offering = known;
        }
        return known.dispatcher();
    }

    /** For one tool of a program's loop. */
    public ToolDispatcher of(ToolProvider tool) {
        return dispatcher.offering(tool);
    }

    /** Decides about the calls. */
    public Gate gate() {
        return dispatcher.gate();
    }

    /** What bodies are supplied with. */
    public HostValues hostValues() {
        return dispatcher.hostValues();
    }
}
