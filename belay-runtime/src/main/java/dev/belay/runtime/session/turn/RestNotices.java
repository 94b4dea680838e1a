package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.JournalHost;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that a turn, a process or a batch of calls rests, with an event for a turn and a line, and once that it goes on. Thread-safe.
 *
 * <p>Concurrency: the entry of a scope in the map is its lock, so that a scope that is entered meanwhile is told to go on after it was told to rest.
 */
public final class RestNotices {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    /** So many rests are remembered; those that are forgotten go on without a line. */
    private static final int MOST = 1_000;
    /** What no program serves rests after a minute, and nothing else tells of that moment. */
    private static final Duration UNSERVED = Duration.ofSeconds(61);

    private final Inbox inbox;
    private final JournalHost host;
    private final TimeSource time;
    private final SessionStreams streams;
    private final Map<ScopeId, Rest> resting = new ConcurrentHashMap<>();
    /** Scopes, each with those that wait for it; and each with those that it waits for. */
    private final Map<ScopeId, Set<ScopeId>> above = new ConcurrentHashMap<>();
    private final Map<ScopeId, Set<ScopeId>> below = new ConcurrentHashMap<>();
    /** Pauses that were told. */
    private final Set<String> pauses = ConcurrentHashMap.newKeySet();

    /** A rest that was told, of something with a name. */
    private record Rest(String name, List<Wait> waits) {}

    public RestNotices(Inbox inbox, JournalHost host, TimeSource time, SessionStreams streams) {
        this.inbox = inbox;
        this.host = host;
        this.time = time;
        this.streams = streams;
        inbox.rests().notices(this::look);
    }

    /** A scope was parked here. */
    public void parked(ScopeId scope, ScopeInput input) {
        if (!look(scope, input) && !host.pauses().keys().isEmpty()) {
            time.after(UNSERVED, () -> {
                if (!host.isClosing()) {
                    host.spawn(() -> look(scope));
                }
            });
        }
        lookAbove(scope);
    }

    /** A scope is entered here. */
    public void entered(ScopeId scope) {
        resting.computeIfPresent(scope, (same, before) -> goesOn(before));
        waitsFor(scope, Set.of());
        lookAbove(scope);
    }

    /** A scope waits for others, which know it from their own read on. */
    private void waitsFor(ScopeId scope, Set<ScopeId> others) {
        Set<ScopeId> earlier = others.isEmpty() ? below.remove(scope) : below.put(scope, others);
        if (earlier != null) {
            earlier.stream()
                    .filter(one -> !others.contains(one))
                    .forEach(one -> above.computeIfPresent(one, (same, all) -> without(all, scope)));
        }
    }

    private void lookAbove(ScopeId scope) {
        above.getOrDefault(scope, Set.of()).forEach(this::look);
    }

    private void look(ScopeId scope) {
        try {
            host.state(scope).ifPresent(state -> look(scope, state.input()));
        } catch (BelayException e) {
            LOG.debug("what scope {} waits for cannot be read", scope, e);
        }
    }

    /** Whether a scope rests. */
    private boolean look(ScopeId scope, ScopeInput input) {
        try {
            if (resting.size() > MOST) {
                resting.keySet().stream().findFirst().ifPresent(resting::remove);
            }
            return resting.compute(scope, (same, before) -> looked(scope, input, before)) != null;
        } catch (BelayException e) {
            LOG.debug("what scope {} waits for cannot be read", scope, e);
            return false;
        }
    }

    private @Nullable Rest looked(ScopeId scope, ScopeInput input, @Nullable Rest before) {
        Set<ScopeId> seen = new HashSet<>();
        List<Wait> waits = inbox.rests().of(scope, input, one -> {
            if (!one.equals(scope) && seen.add(one)) {
                above.compute(one, (same, all) -> with(all, scope));
            }
        }).orElse(null);
        waitsFor(scope, seen);
        if (waits == null) {
            return before == null ? null : goesOn(before);
        }
        var rest = new Rest(name(scope, input), waits);
        if (before == null || !RestingScopes.areSame(before.waits, waits)) {
            tell(rest, input);
        }
        return rest;
    }

    private static Set<ScopeId> with(@Nullable Set<ScopeId> all, ScopeId one) {
        Set<ScopeId> more = all == null ? new HashSet<>() : new HashSet<>(all);
        more.add(one);
        return more;
    }

    private static @Nullable Set<ScopeId> without(Set<ScopeId> all, ScopeId one) {
        Set<ScopeId> fewer = new HashSet<>(all);
        fewer.remove(one);
        return fewer.isEmpty() ? null : fewer;
    }

    private static String name(ScopeId scope, ScopeInput input) {
        return TurnScope.isTurn(input.kind())
                ? "Turn " + TurnScope.turn(scope).orElse(0L) + " of session " + TurnStart.of(input).session()
                : ProcessScope.isProcess(input.kind())
                        ? "Process " + ProcessScope.process(scope)
                        : "Batch " + scope;
    }

    private void tell(Rest rest, ScopeInput input) {
        Wait first = rest.waits.getFirst();
        if (first.kind() != Wait.Kind.PAUSE || pauses.add(first.detail() + first.since())) {
            LOG.info("{} rests; it waits for {}", rest.name,
                    String.join(" | ", rest.waits.stream().map(Wait::line).toList()));
        }
        if (TurnScope.isTurn(input.kind())) {
            TurnStart turn = TurnStart.of(input);
            streams.of(turn.session()).tell(new TurnEvent.Resting(turn.turn(), rest.waits));
        }
    }

    /** What stays remembered: a turn that no program can enter is tried again and again, and rests all the while. */
    private static @Nullable Rest goesOn(Rest rest) {
        Wait.Kind kind = rest.waits.getFirst().kind();
        if (kind == Wait.Kind.PLUGIN || kind == Wait.Kind.CONFIGURATION) {
            return rest;
        }
        if (kind != Wait.Kind.PAUSE) {
            LOG.info("{} goes on", rest.name);
        }
        return null;
    }
}
