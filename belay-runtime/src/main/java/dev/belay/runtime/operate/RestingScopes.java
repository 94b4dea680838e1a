package dev.belay.runtime.operate;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalHost;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waits for turns, processes and batches of calls until they have ended or rest. Knows which bodies hold their thread until work below has ended: a
 * turn whose bodies all do so rests with that work. Thread-safe.
 */
public final class RestingScopes {

    private final JournalHost host;
    private final Rests rests;
    private final Map<ScopeId, Map<Object, Awaited>> awaited = new ConcurrentHashMap<>();
    private volatile Consumer<ScopeId> notices = scope -> {};

    /** Work that a body waits for. */
    public sealed interface Below {

        /** The active turn of a session. */
        record Turn(SessionId session) implements Below {}

        /** The work of a process. */
        record Work(ProcessId process) implements Below {}
    }

    private record Awaited(String call, Below below) {}

    /**
     * Waits for the scopes of a host.
     *
     * @param requests reads what a person is asked
     * @param arguments reads the final arguments of a call from what was prepared
     * @param agents which this program defines
     */
    public RestingScopes(Store store, JournalHost host, TimeSource time, Approvals.Requests requests,
            UnaryOperator<Json> arguments, Supplier<Set<String>> agents) {
        this.host = host;
        rests = new Rests(store, requests, arguments, agents,
                () -> host.stage() != JournalHost.Stage.NOT_SERVING, this::below, time::now);
    }

    /** Whether two rests have the same waits. */
    public static boolean areSame(List<Wait> waits, List<Wait> others) {
        return Rests.areSame(waits, others);
    }

    /** Who is told that a scope may have begun to rest. */
    public void notices(Consumer<ScopeId> told) {
        notices = told;
    }

    /**
     * What a scope waits for if it rests, the longest first; empty if it does not.
     *
     * @param looked is told each scope before it is read
     */
    public Optional<List<Wait>> of(ScopeId scope, ScopeInput input, Consumer<ScopeId> looked) {
        return rests.of(scope, input, looked);
    }

    /** What work waits for if it rests; empty if something of it goes on. */
    public List<Wait> of(Below below) {
        return rests.of(below, scope -> {}).orElse(List.of());
    }

    /**
     * A scope that was waited for.
     *
     * @param state how it stands; empty if there is none
     * @param waits what it waits for if it rests, or null
     */
    public record Joined(Optional<ScopeState> state, @Nullable List<Wait> waits) {}

    /**
     * Waits until a scope is settled or rests.
     *
     * @param most no longer than this, or null
     * @param known a rest with these waits is told already; null if none is
     */
    public Joined join(ScopeId scope, @Nullable Duration most, @Nullable List<Wait> known)
            throws InterruptedException {
        var rest = new AtomicReference<@Nullable List<Wait>>();
        Optional<ScopeState> state = host.join(scope, most, (found, looked) -> {
            rest.set(rest(found, known, looked));
            return rest.get() != null;
        });
        List<Wait> waits = rest.get();
        if (waits != null) {
            notices.accept(scope);
        }
        return new Joined(state, waits);
    }

    /** What a scope waits for that rests in another way than is known; null if it does not. */
    private @Nullable List<Wait> rest(ScopeState state, @Nullable List<Wait> known,
            Consumer<ScopeId> looked) {
        if (state.status() == ScopeState.Status.RUNNING && below(state.id()).isEmpty()) {
            return null; // a process is at work: nothing to read
        }
        List<Wait> waits = of(state.id(), state.input(), looked).orElse(null);
        return waits == null || (known != null && Rests.areSame(waits, known)) ? null : waits;
    }

    /** Waits for something. */
    @FunctionalInterface
    public interface Going<T> {
        T go() throws InterruptedException;
    }

    /** Goes on after a rest. */
    public <T> T after(String what, Going<T> going) throws InterruptedException {
        try {
            return going.go();
        } catch (JournalException e) {
            if (!host.isClosing()) {
                throw e;
            }
            throw new BelayException("runtime_closed", "this runtime was closed while " + what
                    + " rested; the rest is stored, and another runtime or client finds it", e);
        }
    }

    /**
     * A call waits for work below it from now on, until what is returned runs.
     *
     * @param scope of the call
     * @param call its name in that
     */
    public Runnable begin(ScopeId scope, String call, Below below) {
        var key = new Object();
        awaited.compute(scope, (same, all) -> {
            Map<Object, Awaited> more = all == null ? new HashMap<>() : new HashMap<>(all);
            more.put(key, new Awaited(call, below));
            return more;
        });
        host.watch(scope, () -> look(scope));
        look(scope);
        return () -> {
            awaited.computeIfPresent(scope, (same, all) -> {
                Map<Object, Awaited> fewer = new HashMap<>(all);
                fewer.remove(key);
                return fewer.isEmpty() ? null : fewer;
            });
            notices.accept(scope); // it may go on
        };
    }

    private void look(ScopeId scope) {
        if (awaited.containsKey(scope)) {
            host.lookAgain(scope);
            notices.accept(scope);
        }
    }

    /** What all calls of a scope wait for that are at work here; empty if one of them does something else. */
    private Set<Below> below(ScopeId scope) {
        Map<Object, Awaited> all = awaited.get(scope);
        return all == null
                || all.values().stream().map(Awaited::call).distinct().count() != host.atWork(scope)
                        ? Set.of()
                        : all.values().stream().map(Awaited::below).collect(Collectors.toSet());
    }
}
