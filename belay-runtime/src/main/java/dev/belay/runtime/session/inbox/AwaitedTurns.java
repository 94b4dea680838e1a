package dev.belay.runtime.session.inbox;

import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.journal.JournalHost;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Bodies that hold their thread until a turn below their own has ended: a turn all of whose bodies do so rests with those turns. Thread-safe. */
public final class AwaitedTurns {

    private final JournalHost host;
    private final Map<ScopeId, Map<Object, Awaited>> awaited = new ConcurrentHashMap<>();

    private record Awaited(String call, SessionId child) {}

    AwaitedTurns(JournalHost host) {
        this.host = host;
    }

    /** A call waits for a turn of a session from now on, until what is returned runs. */
    public Runnable begin(CallReference call, SessionId child) {
        var key = new Object();
        var one = new Awaited(call.round() + "/" + call.index(), child);
        awaited.computeIfAbsent(call.scope(), scope -> new ConcurrentHashMap<>()).put(key, one);
        return () -> awaited.computeIfPresent(call.scope(), (scope, all) -> {
            all.remove(key);
            return all.isEmpty() ? null : all;
        });
    }

    /** A turn below rests: who waits for the turn of the call looks again. */
    public void rests(CallReference call) {
        host.lookAgain(call.scope());
    }

    /** The sessions whose turns all bodies of a scope wait for; empty if one of them does something else. */
    Set<SessionId> of(ScopeId scope) {
        Map<Object, Awaited> all = awaited.getOrDefault(scope, Map.of());
        Set<String> calls = new HashSet<>();
        Set<SessionId> children = new HashSet<>();
        all.values().forEach(one -> {
            calls.add(one.call());
            children.add(one.child());
        });
        return calls.size() == host.bodies(scope) ? children : Set.of();
    }
}
