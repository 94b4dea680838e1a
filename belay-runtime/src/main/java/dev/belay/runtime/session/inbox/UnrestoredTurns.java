package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.operate.UnrestoredPlugin;
import dev.belay.runtime.plugin.engine.NotRestoredException;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns that this process could not enter, because a plugin cannot read its state. They are looked at again from time to time, here
 * or wherever another build of the plugin is. Thread-safe.
 */
public final class UnrestoredTurns {

    /** Until such a turn is looked at again, by any process. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final Map<ScopeId, UnrestoredPlugin> turns = new ConcurrentHashMap<>();

    /** The states that a session keeps, without those that an operator has reset and that cannot be read. */
    public static StateValues restored(SessionPlugins plugins, @Nullable Json kept, Inbox inbox,
            TurnStart start) {
        return StateValues.of(plugins, kept, SavedState.contents(inbox.store, start.incarnation()),
                plugin -> isReset(inbox, start.session(), plugin));
    }

    /** Whether an operator has reset a plugin, and no turn that has taken the command was committed. */
    private static boolean isReset(Inbox inbox, SessionId session, String plugin) {
        var reset = new SessionCommand.ResetPlugin(plugin);
        return inbox.waiting(session)
                .stream()
                .map(Arrived::arrival)
                .filter(arrival -> arrival.kind() == Arrival.Kind.COMMAND)
                .anyMatch(arrival -> SessionCommand.of(arrival.content()).equals(reset));
    }

    /** A turn cannot be entered; throws what lets its scope rest, uncounted. */
    public RuntimeException rest(EffectScope scope, TurnStart start, NotRestoredException why, Instant now) {
        var one = new UnrestoredPlugin(start.session(), start.turn(), why.plugin(),
                String.valueOf(why.getMessage()), now);
        if (turns.putIfAbsent(start.scope(), one) == null) {
            LOG.warn("Turn {} of session {} waits for another build of a plugin: {}", start.turn(),
                    start.session(), why.getMessage());
        }
        scope.restForPlugin(now.plus(LOOK_AGAIN), String.valueOf(why.getMessage()));
        return why;
    }

    /** A turn was entered. */
    public void remove(ScopeId turn) {
        turns.remove(turn);
    }

    /** Those that wait still, the longest first. */
    public List<UnrestoredPlugin> list(SessionStore store) {
        turns.values()
                .removeIf(one -> store
                        .head(one.session())
                        .map(SessionHead::active)
                        .filter(active -> active == one.turn())
                        .isEmpty());
        return turns.values()
                .stream()
                .sorted(Comparator.comparing(UnrestoredPlugin::since)
                        .thenComparing(one -> one.session().value()))
                .toList();
    }
}
