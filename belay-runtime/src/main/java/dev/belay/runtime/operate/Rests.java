package dev.belay.runtime.operate;

import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.OperatorReads;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import dev.belay.runtime.store.law.OperatorReads.OpenKey;
import dev.belay.runtime.store.law.OperatorReads.Standing;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a turn, a process or a batch of calls rests: nothing in it can go on, in any process, until a person or a service outside acts. A timer, a
 * model that is asked again and work under way are no rest. What no program serves rests after a minute. Thread-safe.
 *
 * @param store reads what waits
 * @param requests reads what a person is asked
 * @param arguments reads the final arguments of a call from what was prepared
 * @param agents which this program defines
 * @param serves whether this program runs turns
 * @param bodies of a scope that runs here: what all of its bodies wait for; empty if one of them does something else
 * @param now the time
 */
record Rests(Store store, Approvals.Requests requests, UnaryOperator<Json> arguments,
        Supplier<Set<String>> agents, BooleanSupplier serves,
        Function<ScopeId, Set<RestingScopes.Below>> bodies,
        Supplier<Instant> now) {

    /** What no program serves rests after this time. */
    static final Duration UNSERVED = Duration.ofMinutes(1);
    /** An event that a turn below settles, and one that a process settles. */
    private static final Pattern CHILD = Pattern.compile(
            ".*/event/(child-\\p{XDigit}{32}-\\p{XDigit}{16})/.*",
            Pattern.DOTALL);
    private static final Pattern PROCESS = Pattern.compile(".*/event/process/\\d+/(.*)", Pattern.DOTALL);

    /** Whether two rests have the same waits. */
    static boolean areSame(List<Wait> waits, List<Wait> others) {
        return names(waits).equals(names(others));
    }

    private static Set<String> names(List<Wait> waits) {
        return waits.stream()
                .map(wait -> String.join(" ", wait.kind().name(), wait.session(), String.valueOf(wait.turn()),
                        wait.keyId(), wait.keyId().isEmpty() ? wait.detail() : ""))
                .collect(Collectors.toSet());
    }

    /** What work waits for if it rests; empty if it does not. */
    Optional<List<Wait>> of(RestingScopes.Below below, Consumer<ScopeId> looked) {
        return switch (below) {
            case RestingScopes.Below.Turn(SessionId session) -> {
                SessionHead head = store.read(SessionReads.head(session)).orElse(null);
                Long active = head == null ? null : head.active();
                yield head == null || active == null
                        ? Optional.empty()
                        : of(TurnScope.id(head.incarnation(), active), session, active, looked);
            }
            case RestingScopes.Below.Work(ProcessId process) ->
                of(ProcessScope.id(process), null, 0, looked);
        };
    }

    /**
     * What a scope waits for if it rests, the longest first; empty if it does not.
     *
     * @param looked is told each scope before it is read: the answer may be another one when one of them is parked, or ends
     */
    Optional<List<Wait>> of(ScopeId scope, ScopeInput input, Consumer<ScopeId> looked) {
        String session = TurnScope.isTurn(input.kind()) ? input.value().peekText("session") : null;
        return session == null
                ? of(scope, null, 0, looked)
                : of(scope, new SessionId(session), TurnScope.turn(scope).orElse(0L), looked);
    }

    private Optional<List<Wait>> of(ScopeId scope, @Nullable SessionId session, long turn,
            Consumer<ScopeId> looked) {
        looked.accept(scope);
        Standing standing = store.read(OperatorReads.standing(scope, PendingWaits::record)).orElse(null);
        if (standing == null || standing.scope().status() == ScopeState.Status.ENDED) {
            return Optional.empty();
        }
        var shown = new ShownWaits(store.address(), requests, arguments, session, turn);
        ActiveScope active = standing.scope();
        WaitsFor waits = WaitsFor.of(active, agents.get(),
                session == null ? List.of() : List.of(session.value()));
        Instant since = waits.since().isAfter(active.since()) ? waits.since() : active.since();
        boolean isOverdue = !now.get().isBefore(since.plus(UNSERVED));
        return switch (waits.what()) {
            case COMPLETION, APPROVAL, DOUBT, EVENT ->
                active.wakeAt() == null ? all(standing.keys(), Set.of(), shown, looked) : Optional.empty();
            case PAUSE, PROGRAM, PLUGIN, CONFIGURATION, AGENT ->
                isOverdue ? Optional.of(List.of(shown.unserved(waits))) : Optional.empty();
            case PROCESS -> isOverdue && !serves.getAsBoolean()
                    ? Optional.of(List.of(shown.unserved(
                            new WaitsFor(WaitsFor.For.AGENT, waits.since(), null, waits.detail()))))
                    : Optional.empty();
            case WORK -> {
                Set<RestingScopes.Below> below = bodies.apply(scope);
                yield below.isEmpty() ? Optional.empty() : all(standing.keys(), below, shown, looked);
            }
            case MODEL, RESOURCE, TIME, OPERATOR -> Optional.empty();
        };
    }

    /** What all open waits and all bodies come to; empty if one of them is for something that goes on. */
    private Optional<List<Wait>> all(List<OpenKey> keys, Set<RestingScopes.Below> bodies, ShownWaits shown,
            Consumer<ScopeId> looked) {
        List<Wait> all = new ArrayList<>();
        boolean goesOn = false; // all are looked at: each of them may be the last that rests
        for (Optional<List<Wait>> some : Stream.concat(keys.stream().map(key -> open(key, shown, looked)),
                bodies.stream().map(body -> of(body, looked))).toList()) {
            goesOn |= some.isEmpty();
            some.ifPresent(all::addAll);
        }
        return goesOn || all.isEmpty()
                ? Optional.empty()
                : Optional.of(all.stream().distinct().sorted(Comparator.comparing(Wait::since)).toList());
    }

    private Optional<List<Wait>> open(OpenKey key, ShownWaits shown, Consumer<ScopeId> looked) {
        String name = key.opened().name().value();
        Matcher child = CHILD.matcher(name);
        Matcher process = PROCESS.matcher(name);
        if (child.matches()) {
            return of(new RestingScopes.Below.Turn(new SessionId(child.group(1))), looked);
        }
        if (process.matches()) {
            return of(new RestingScopes.Below.Work(new ProcessId(process.group(1))), looked);
        }
        return PendingWaits.kind(name) == PendingWait.Kind.INPUT
                ? of(new RestingScopes.Below.Turn(ProcessScope.turn(key.input())), looked)
                : Optional.of(List.of(shown.open(key)));
    }
}
