package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.LargeResult;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that one entry into a process tells. An event that an earlier entry told is read and not written again.
 *
 * <p><b>Concurrency.</b> Thread-safe: a plain body may tell events from several threads. <b>Recovery.</b> A resumable body must
 * tell the same events when it is entered again; another event under a known key is a mismatch, as with steps. A further attempt
 * of a plain body may tell other events; the event that was told first under a key is kept.
 */
final class ToldEvents implements CallOwner {

    private static final int PAGE = 500;

    private final KeptProcesses kept;
    private final ProcessId process;
    private final Lineage lineage;
    private final Claim claim;
    private final Map<String, ProcessEvent> known = new HashMap<>();
    private long cursor;
    private boolean allKnown;

    ToldEvents(KeptProcesses kept, Beginning beginning, Claim claim) {
        this.kept = kept;
        this.process = beginning.id();
        this.lineage = StartedBy.lineage(beginning.by());
        this.claim = claim;
    }

    @Override
    public Lineage lineage() {
        return lineage;
    }

    /** Tells an event of a resumable body. */
    @Override
    public void tell(EffectScope scope, String key, String type, Json payload) {
        ProcessEvent.Draft draft = draft("step/" + key, type, payload);
        ClaimedScope.of(scope).write(held -> {
            if (!isTold(draft)) {
                throw new ReplayMismatchException(scope.id(), draft.key(),
                        "an earlier entry told another event"
                                + " under this key; now " + draft.type() + " " + draft.payload());
            }
            return true;
        });
    }

    /** Tells an event of a plain body; a known event of the same key is kept. */
    void tellPlain(String key, String type, Json payload) {
        isTold(draft("plain/" + key, type, payload));
    }

    private static ProcessEvent.Draft draft(String key, String type, Json payload) {
        int bytes = payload.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LargeResult.INLINE) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.RESOURCE_LIMIT, "resource_limit",
                    "the payload of event \"" + type + "\" has " + bytes + " bytes; at most "
                            + LargeResult.INLINE + " are allowed. Keep it elsewhere and tell its name"));
        }
        return new ProcessEvent.Draft(key, type, payload);
    }

    /** Tells an event unless it is known; false if another event has its key. */
    private synchronized boolean isTold(ProcessEvent.Draft draft) {
        ProcessEvent before = find(draft.key());
        if (before != null) {
            return draft.isSameAs(before);
        }
        return switch (kept.store()
                .apply(kept.store().processes().tell(claim, process, draft, kept.time().now()))) {
            case ADDED, KNOWN -> true;
            case CONFLICT -> false;
            case FENCED, ENDED, UNKNOWN -> throw new FencedException(claim.scope(), claim.fence());
        };
    }

    /** Reads further pages until the event is found or no page is left. */
    private @Nullable ProcessEvent find(String key) {
        while (!known.containsKey(key) && !allKnown) {
            List<ProcessEvent> page = kept.store().read(ProcessReads.events(process, cursor, PAGE));
            page.forEach(event -> known.put(event.key(), event));
            cursor = page.isEmpty() ? cursor : page.getLast().place();
            allKnown = page.size() < PAGE;
        }
        return known.get(key);
    }
}
