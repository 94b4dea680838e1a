package dev.belay.runtime.operate;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.OperatorStore.ActiveScope;
import dev.belay.runtime.store.OperatorStore.OpenKey;
import dev.belay.runtime.store.OperatorStore.Standing;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a turn rests: nothing in it can go on, in any process, until a person or a service outside acts. A timer, a model that is asked again and work
 * under way are no rest. A turn that no program serves rests after a minute. Thread-safe.
 *
 * @param store reads what waits
 * @param requests reads what a person is asked
 * @param arguments reads the final arguments of a call from what was prepared
 * @param agents which this program defines
 * @param bodies of a scope that runs here: the turns below it that all of its bodies wait for; empty if one of them does something else
 * @param now the time
 */
public record Rests(SessionStore store, Approvals.Requests requests, UnaryOperator<Json> arguments,
        Supplier<Set<String>> agents, Function<ScopeId, Set<SessionId>> bodies, Supplier<Instant> now) {

    private static final Duration UNSERVED = Duration.ofMinutes(1);
    private static final String EVENT = "/event/";
    private static final String PROCESS = "process/";

    /** What the active turn of a session waits for if it rests, the longest first; empty if it does not. */
    public Optional<List<Wait>> of(SessionId session) {
        return store.head(session).flatMap(this::of);
    }

    /** Whether two rests have the same waits. */
    public static boolean areSame(List<Wait> waits, List<Wait> others) {
        return names(waits).equals(names(others));
    }

    private static Set<String> names(List<Wait> waits) {
        return waits.stream()
                .map(wait -> String.join(" ", wait.kind().name(), wait.session(), String.valueOf(wait.turn()),
                        wait.keyId(), wait.keyId().isEmpty() ? wait.detail() : ""))
                .collect(Collectors.toSet());
    }

    private Optional<List<Wait>> of(SessionHead head) {
        Long active = head.active();
        return active == null
                ? Optional.empty()
                : of(TurnScope.id(head.incarnation(), active), head.id(), active);
    }

    /**
     * What a scope waits for if it rests; empty if it does not.
     *
     * @param session of the turn, or null
     * @param turn its number; 0 outside turns
     */
    public Optional<List<Wait>> of(ScopeId scope, @Nullable SessionId session, long turn) {
        Standing standing = store.operators().standing(scope, PendingWaits::record).orElse(null);
        if (standing == null) {
            return Optional.empty();
        }
        var shown = new ShownWaits(store.operators().address(), requests, arguments, session, turn);
        ActiveScope active = standing.scope();
        boolean isOverdue = !now.get().isBefore(active.since().plus(UNSERVED));
        WaitsFor waits = WaitsFor.of(active, agents.get(),
                session == null ? List.of() : List.of(session.value()));
        return switch (waits.what()) {
            case COMPLETION, APPROVAL, DOUBT, EVENT ->
                active.wakeAt() == null ? open(standing.keys(), shown) : Optional.empty();
            case PAUSE, PROGRAM, PLUGIN, CONFIGURATION, AGENT ->
                isOverdue ? Optional.of(List.of(shown.unserved(waits))) : Optional.empty();
            case WORK -> active.status() == ScopeState.Status.RUNNING
                    ? below(bodies.apply(scope))
                    : Optional.empty();
            case PROCESS, MODEL, RESOURCE, TIME, OPERATOR -> Optional.empty();
        };
    }

    private Optional<List<Wait>> below(Set<SessionId> children) {
        List<Wait> all = new ArrayList<>();
        for (SessionId child : children) {
            List<Wait> waits = of(child).orElse(null);
            if (waits == null) {
                return Optional.empty();
            }
            all.addAll(waits);
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /** What all open waits come to; empty if one of them is for something that goes on. */
    private Optional<List<Wait>> open(List<OpenKey> keys, ShownWaits shown) {
        List<Wait> all = new ArrayList<>();
        for (OpenKey key : keys) {
            List<Wait> waits = open(key, shown).orElse(null);
            if (waits == null) {
                return Optional.empty();
            }
            all.addAll(waits);
        }
        all.sort(Comparator.comparing(Wait::since));
        return all.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(all));
    }

    private Optional<List<Wait>> open(OpenKey key, ShownWaits shown) {
        String name = key.opened().name().value();
        int event = name.indexOf(EVENT);
        String of = event < 0 ? "" : name.substring(event + EVENT.length());
        if (of.startsWith(PROCESS)) {
            String process = of.substring(PROCESS.length(), Math.max(PROCESS.length(), of.lastIndexOf('/')));
            return of(ProcessScope.id(new ProcessId(process)), null, 0);
        }
        for (int slash = of.lastIndexOf('/'); slash > 0; slash = of.lastIndexOf('/', slash - 1)) {
            SessionHead child = store.head(new SessionId(of.substring(0, slash))).orElse(null);
            if (child != null) {
                return of(child);
            }
        }
        return Optional.of(List.of(shown.open(key)));
    }
}
