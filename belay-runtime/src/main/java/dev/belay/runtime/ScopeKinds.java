package dev.belay.runtime;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.tool.ToolOutcome;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The kinds of scopes that a runtime serves, each with its runner. Children of a scope are run by the runner of that scope.
 * Thread-safe.
 *
 * <p>A kind is {@code name/version}; a name behind a second slash narrows it ({@code process/1/body}) and belongs to the same runner,
 * unless a runner was added for exactly that kind.
 * Every runner is told what is left, late or closing, and ignores scopes that are not its own.
 */
final class ScopeKinds implements ScopeRunner {

    private final JournalHost host;
    private final Consumer<ScopeId> whenEntered;
    private final BiConsumer<ScopeId, ScopeInput> whenParked;
    private final Map<String, ScopeRunner> runners = new LinkedHashMap<>();
    /** The runners of scopes that are live here, each under one claim. */
    private final Map<ScopeId, Entered> entered = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> served = new HashSet<>();
    private final Runnable whenClosing;

    private record Entered(ScopeRunner runner, long fence) {}

    ScopeKinds(JournalHost host, Consumer<ScopeId> whenEntered, BiConsumer<ScopeId, ScopeInput> whenParked,
            Runnable whenClosing) {
        this.whenEntered = whenEntered;
        this.whenParked = whenParked;
        this.host = host;
        this.whenClosing = whenClosing;
    }

    /** Adds a kind with its runner; before {@link #open}. */
    void add(String kind, ScopeRunner runner) {
        runners.put(kind, runner);
    }

    /** Starts to serve: scopes of these kinds that other processes left behind go on here. */
    void open(Set<String> kinds) {
        lock.lock();
        try {
            served.addAll(kinds);
            host.serve(this, Set.copyOf(served));
        } finally {
            lock.unlock();
        }
    }

    /** Serves one more kind from now on. */
    void serve(String kind) {
        lock.lock();
        try {
            served.add(kind);
            host.serve(Set.copyOf(served));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Json run(EffectScope scope, ScopeInput input) {
        ScopeRunner runner = runners.getOrDefault(input.kind(), runners.get(kind(input)));
        if (runner == null) {
            throw new BelayException("unknown_scope", "scope " + scope.id() + " is of kind " + input.kind()
                    + "; this runtime has " + runners.keySet() + ", so another program must serve it");
        }
        whenEntered.accept(scope.id());
        entered.put(scope.id(), new Entered(runner, scope.fence().value()));
        return runner.run(scope, input);
    }

    @Override
    public ToolOutcome child(EffectScope scope, ScopeInput input) {
        Entered above = Objects.requireNonNull(entered.get(scope.id()),
                "the scope of a child is entered here");
        return above.runner().child(scope, input);
    }

    /** The kind without the name that narrows it. */
    private static String kind(ScopeInput input) {
        String kind = input.kind();
        int slash = kind.indexOf('/', kind.indexOf('/') + 1);
        return slash < 0 ? kind : kind.substring(0, slash);
    }

    /** The first runner that names a keeper other than the scope itself decides. */
    @Override
    public String keeper(ScopeId scope) {
        return runners.values()
                .stream()
                .map(runner -> runner.keeper(scope))
                .filter(keeper -> !keeper.equals(scope.value()))
                .findFirst()
                .orElse(scope.value());
    }

    @Override
    public void left(ScopeId scope, long fence) {
        entered.computeIfPresent(scope, (id, claim) -> claim.fence() == fence ? null : claim);
        runners.values().forEach(runner -> runner.left(scope, fence));
    }

    @Override
    public void parked(ScopeId scope, ScopeInput input) {
        whenParked.accept(scope, input);
    }

    @Override
    public void late(ScopeId scope, EffectKey key, Json result) {
        runners.values().forEach(runner -> runner.late(scope, key, result));
    }

    @Override
    public void closing() {
        whenClosing.run();
        runners.values().forEach(ScopeRunner::closing);
    }
}
