package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessStore;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.Journal.Claim;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that one entry into a process tells. What an earlier entry has told is read and not written again.
 *
 * <p><b>Concurrency.</b> Thread-safe: a plain body may tell events from several threads. <b>Recovery.</b> A body that is entered
 * again must tell the same events; another one in the place of one that was told is a mismatch, as with steps. A plain body that
 * is attempted again tells what it likes, and the first one stands.
 */
final class ToldEvents implements CallOwner {

    private static final int PAGE = 500;

    private final ProcessEngine engine;
    private final ProcessId process;
    private final Claim claim;
    private final Map<String, ProcessEvent> known = new HashMap<>();
    private long cursor;
    private boolean allKnown;

    ToldEvents(ProcessEngine engine, ProcessId process, Claim claim) {
        this.engine = engine;
        this.process = process;
        this.claim = claim;
    }

    /** Tells an event of a body that may be entered again. */
    @Override
    public void tell(EffectScope scope, String key, String type, Json payload) {
        ProcessEvent.Draft draft = draft("step/" + key, type, payload);
        ClaimedScope.of(scope).write(held -> {
            if (!isTold(draft)) {
                throw new ReplayMismatchException(scope.id(), draft.key(),
                        "the process has told another event"
                                + " here before; now " + draft.type() + " " + draft.payload());
            }
            return true;
        });
    }

    /** Tells an event of a plain body; one that has its key stands. */
    void tellPlain(String key, String type, Json payload) {
        isTold(draft("plain/" + key, type, payload));
    }

    private static ProcessEvent.Draft draft(String key, String type, Json payload) {
        int bytes = payload.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LargeResult.INLINE) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "resource_limit",
                    "the payload of event \"" + type + "\" has " + bytes + " bytes; it may have "
                            + LargeResult.INLINE + ". Keep it elsewhere and tell its name"));
        }
        return new ProcessEvent.Draft(key, type, payload);
    }

    /** Makes sure that an event is told; false if another one has its key. */
    private synchronized boolean isTold(ProcessEvent.Draft draft) {
        ProcessEvent before = find(draft.key());
        if (before != null) {
            return draft.isSameAs(before);
        }
        return switch (engine.store().tell(claim, process, draft, engine.now())) {
            case ADDED, KNOWN -> true;
            case CONFLICT -> false;
            case FENCED, ENDED, UNKNOWN -> throw new FencedException(claim.scope(), claim.fence());
        };
    }

    /** Reads on until the event is found or everything was read. */
    private @Nullable ProcessEvent find(String key) {
        ProcessStore store = engine.store();
        while (!known.containsKey(key) && !allKnown) {
            List<ProcessEvent> page = store.events(process, cursor, PAGE);
            page.forEach(event -> known.put(event.key(), event));
            cursor = page.isEmpty() ? cursor : page.getLast().place();
            allKnown = page.size() < PAGE;
        }
        return known.get(key);
    }
}
