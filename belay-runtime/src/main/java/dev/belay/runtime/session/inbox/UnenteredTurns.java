package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.operate.MisconfiguredTurn;
import dev.belay.runtime.operate.UnrestoredPlugin;
import dev.belay.runtime.plugin.engine.NotRestoredException;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns that this process could not enter, because a plugin cannot read its state or the program is configured wrongly. They are
 * looked at again from time to time, here or wherever another program is. Thread-safe.
 */
public final class UnenteredTurns {

    /** Until such a turn is looked at again, by any process. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    /** Codes of faults that another configuration of the program does not have; {@code docs/errors.md} lists them. */
    private static final Set<String> CONFIGURATION = Set.of("plugin_conflict", "plugin_failed",
            "duplicate_tool_name",
            "duplicate_tool_id", "source_unreadable", "unknown_agent", "unknown_model", "unknown_variant");

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final Map<ScopeId, Unentered> turns = new ConcurrentHashMap<>();

    /** A turn, and the plugin that cannot read its state, or null. */
    private record Unentered(MisconfiguredTurn turn, @Nullable String plugin) {}

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

    /**
     * A turn has met a fault. Throws what lets its scope rest, uncounted, if the fault is one of the program; else returns the fault.
     *
     * @param untouched whether the entry has recorded and done nothing
     */
    public BelayException rest(EffectScope scope, TurnStart start, BelayException why, boolean untouched,
            Instant now) {
        String plugin = why instanceof NotRestoredException unread ? unread.plugin() : null;
        if (plugin == null && !(untouched && CONFIGURATION.contains(why.code()))) {
            return why;
        }
        String reason = String.valueOf(why.getMessage());
        Unentered before = turns.get(start.scope());
        var one = new MisconfiguredTurn(start.session(), start.turn(), why.code(), reason,
                before == null ? now : before.turn().since());
        if (before == null || !before.turn().equals(one)) {
            turns.put(start.scope(), new Unentered(one, plugin));
            LOG.warn("Turn {} of session {} waits for another {}: {}: {}", start.turn(), start.session(),
                    plugin == null ? "configuration of the program" : "build of a plugin", why.code(),
                    reason);
        }
        scope.restForProgram(now.plus(LOOK_AGAIN), plugin != null, reason);
        return why;
    }

    /** A turn was entered. */
    public void remove(ScopeId turn) {
        turns.remove(turn);
    }

    /** Those that wait for another build of a plugin, the longest first. */
    public List<UnrestoredPlugin> unrestored(Store store) {
        return waiting(store)
                .filter(one -> one.plugin() != null)
                .map(one -> new UnrestoredPlugin(one.turn().session(), one.turn().turn(),
                        Objects.requireNonNull(one.plugin()), one.turn().reason(), one.turn().since()))
                .toList();
    }

    /** Those that wait for another configuration, the longest first. */
    public List<MisconfiguredTurn> misconfigured(Store store) {
        return waiting(store).filter(one -> one.plugin() == null).map(Unentered::turn).toList();
    }

    private Stream<Unentered> waiting(Store store) {
        turns.values()
                .removeIf(one -> store.read(SessionReads.head(one.turn().session()))
                        .map(SessionHead::active)
                        .filter(active -> active == one.turn().turn())
                        .isEmpty());
        return turns.values()
                .stream()
                .sorted(Comparator.comparing((Unentered one) -> one.turn().since())
                        .thenComparing(one -> one.turn().session().value()));
    }
}
