package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one session as one turn sees them. A session about whose tools nothing was ever decided shares the registry of
 * the runtime; another one has its own below it. Confined to the turn's thread.
 */
final class TurnTools {

    private final ToolRegistry above;
    private @Nullable ToolRegistry own;
    private boolean changed;

    /**
     * The tools of a session.
     *
     * @param above the sources that are live
     * @param saved what the session's turns have left
     */
    TurnTools(ToolRegistry above, Json saved) {
        this.above = above;
        if (!saved.isNull()) {
            own().restoreState(state(saved));
        }
    }

    private static ToolState state(Json saved) {
        return Recorded.read("state of a session", saved, () -> {
            Recorded.version("state of a session", saved);
            return ToolState.of(Recorded.field(saved, "tools"));
        });
    }

    private ToolRegistry own() {
        ToolRegistry registry = own;
        if (registry == null) {
            registry = ToolRegistry.below(above);
            // its generations go on where those of the registry above are
            registry.restoreState(
                    new ToolState(above.generation(), above.catalog().fingerprint(), List.of()));
            own = registry;
        }
        return registry;
    }

    ToolRegistry registry() {
        return own == null ? above : own;
    }

    ToolCatalog catalog() {
        return registry().catalog();
    }

    void apply(ToolCommand command) {
        command.applyTo(own());
        changed = true;
    }

    /** What the session is to keep, or null if nothing has changed. */
    @Nullable
    Json saved() {
        return changed ? json(own().state()) : null;
    }

    private static Json json(ToolState state) {
        return Json.write(out -> out.beginObject()
                .name("v")
                .value(Recorded.VERSION)
                .name("tools")
                .value(state.toJson())
                .endObject());
    }
}
