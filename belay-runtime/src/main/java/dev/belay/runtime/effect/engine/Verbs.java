package dev.belay.runtime.effect.engine;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeOperations;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.Store;
import java.util.List;

/**
 * The verbs of an operator, and what a host does about them: it looks for the scope, tells it, or wakes its callers.
 *
 * @param time the host's
 * @param store writes what is done
 * @param news tells live scopes
 * @param finder looks for work
 * @param joiners wait for ends
 */
record Verbs(TimeSource time, Store store, ScopeNotifier news, WorkFinder finder,
        Joiners joiners) implements ScopeOperations {

    @Override
    public boolean retry(ScopeId scope) {
        boolean done = store.apply(store.scopes().retry(scope, time.now()));
        finder.takeReady();
        return done;
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts) {
        boolean done = store.apply(store.scopes().abandon(scope, result, doubts, time.now()));
        joiners.ring(scope);
        return done;
    }

    @Override
    public CancelReceipt cancel(ScopeId scope, String reason) {
        return news.cancel(scope, reason, store);
    }
}
