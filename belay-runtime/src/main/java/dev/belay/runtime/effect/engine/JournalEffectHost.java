package dev.belay.runtime.effect.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeOperations;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.ScopeView.LateResult;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.effect.scope.CompletionKeys;
import dev.belay.runtime.effect.scope.HostLife;
import dev.belay.runtime.effect.scope.HostServices;
import dev.belay.runtime.effect.scope.JsonDifference;
import dev.belay.runtime.effect.scope.LiveScope;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Claim;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.runtime.store.journal.Submission;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The effect host over a {@link Store}: in memory, in a file, in a database. The same code for all of them.
 *
 * <p>This class starts, serves and closes. {@link WorkFinder} finds scopes that have work, {@link ScopeLoop} enters them,
 * {@link ScopeNotifier} tells them of settlements and cancellations, {@link Joiners} waits for their ends.
 *
 * <p>Concurrency: thread-safe. Each claimed scope has threads of its own.
 *
 * <p>Durability: the journal has written a change before the method that made it returns.
 *
 * <p>Recovery: {@link #serve} takes ready scopes and scopes of dead owners. Parked scopes are not read.
 */
public final class JournalEffectHost implements JournalHost {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.runtime.effect");

    private final HostServices services;
    private final Store store;
    private final HostLife life;
    private final LiveScopes live;
    private final Joiners joiners;
    private final LostClaims lost;
    private final ScopeNotifier news;
    private final WorkFinder finder;
    private final Stopping stopping;

    private JournalEffectHost(HostServices services) {
        this.services = services;
        this.store = services.store();
        this.life = services.life();
        this.live = new LiveScopes(services.options());
        this.joiners = new Joiners(services);
        this.lost = new LostClaims(services, live);
        this.news = new ScopeNotifier(services, live, lost, this::resume);
        this.finder = new WorkFinder(services, live, joiners, lost, this::resume);
        this.stopping = new Stopping(services, live, joiners, finder);
        life.whenFailed(this::failed);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Store store) {
        return open(store, HostOptions.DEFAULT);
    }

    /** A host over a journal, which it closes with itself. */
    public static JournalEffectHost open(Store store, HostOptions options) {
        return new JournalEffectHost(HostServices.of(store, options));
    }

    @Override
    public void serve(ScopeRunner runner) {
        life.serve(runner);
        finder.start();
    }

    @Override
    public void serve(ScopeRunner runner, Set<String> kinds) {
        store.served().set(kinds);
        serve(runner);
    }

    @Override
    public void serve(Set<String> kinds) {
        store.served().set(kinds);
        if (life.isServing()) {
            finder.spawnSearch();
        }
    }

    @Override
    public Optional<Claim> claim(ScopeId scope) {
        if (life.isClosing()) {
            throw life.gone();
        }
        return claiming(scope, () -> store.apply(store.scopes().claim(scope, now())));
    }

    @Override
    public void giveBack(Claim claim) {
        store.apply(store.scopes().giveBack(claim, now()));
    }

    @Override
    public void resume(Claim claim) {
        begin(claim, false);
    }

    @Override
    public void submit(ScopeId scope, ScopeInput input) {
        requireOpen();
        switch (claiming(scope, () -> store.apply(store.scopes().submit(scope, input, hasRoom(), now())))) {
            case Submission.Created(var claim) -> {
                if (claim != null) {
                    begin(claim, true);
                }
            }
            case Submission.Known known -> {
            }
            case Submission.Conflict(ScopeInput recorded) -> throw new BelayException("input_conflict",
                    "scope " + scope
                            + " was submitted before with another input; use another id, or the same input. "
                            + JsonDifference.between(recorded.value(), input.value())
                                    .orElse("The kinds differ: recorded " + recorded.kind() + ", now "
                                            + input.kind()));
        }
    }

    @Override
    public <T> T claiming(ScopeId scope, Supplier<T> write) {
        return lost.noting(scope, write);
    }

    @Override
    public <T> T claiming(Object whose, Supplier<Optional<ScopeId>> scope, Supplier<T> write) {
        return lost.noting(whose, scope, write);
    }

    @Override
    public void adopt(Claim claim) {
        begin(claim, claim.entries() == 1);
    }

    @Override
    public void ended(ScopeId scope) {
        joiners.ring(scope);
    }

    @Override
    public void requireServing() {
        if (!life.hasRunner()) {
            throw new BelayException("runtime_not_started",
                    "nothing runs here. If this runtime was built with start(false), call start() first; if this is a"
                            + " client, use a runtime instead");
        }
    }

    @Override
    public void requireOpen() {
        if (life.isClosing() && !services.bodies().isBody(Thread.currentThread())) {
            throw life.gone();
        }
    }

    @Override
    public boolean hasRoom() {
        return life.isServing() && live.room() > 0;
    }

    @Override
    public Delivery resolve(CompletionKey key, Resolution value) {
        return resolve(key.token(), value);
    }

    @Override
    public Delivery resolve(String token, Resolution value) {
        Objects.requireNonNull(value, "value");
        if (Objects.requireNonNull(token, "token").isBlank()) {
            throw new IllegalArgumentException(
                    "the key is empty; give the whole string that completionKey() or"
                            + " externalEventKey() has returned");
        }
        return services.keys()
                .check(token)
                .map(named -> refused(named, value)
                        .orElseGet(() -> resolve(named.scope(), named.incarnation(), named.name(), value)))
                .orElseGet(Delivery.Unknown::new);
    }

    /** A schema is kept before a key is handed out, and goes when the wait is settled: then the first resolution is told. */
    private Optional<Delivery> refused(CompletionKeys.Named wait, Resolution value) {
        return value instanceof Resolution.Ok(Json given)
                ? store.read(ScopeReads.schema(wait.scope(), wait.incarnation(), wait.name()))
                        .map(kept -> JsonSchema.ofKept(kept).validate(given))
                        .filter(violations -> !violations.isEmpty())
                        .map(Delivery.Refused::new)
                : Optional.empty();
    }

    @Override
    public CompletionKey key(ScopeId of, Incarnation incarnation, long secret, WaitName name) {
        return services.keys().of(new CompletionKeys.Named(of, incarnation, name), secret);
    }

    @Override
    public Delivery settle(String kept, Resolution value) {
        return CompletionKeys.inside(kept)
                .map(named -> resolve(named.scope(), named.incarnation(), named.name(), value))
                .orElseGet(Delivery.Unknown::new);
    }

    @Override
    public Delivery resolve(ScopeId of, Incarnation incarnation, WaitName name, Resolution value) {
        return news.resolve(of, incarnation, name, value);
    }

    @Override
    public void settled(ScopeId of, WaitName name, Resolution value, @Nullable Claim woken) {
        news.settled(of, name, value, woken);
    }

    @Override
    public ScopeOperations by(Store other) {
        return new Verbs(services.time(), other, news, finder, joiners);
    }

    @Override
    public CancelReceipt cancel(ScopeId scope, String reason) {
        return by(store).cancel(scope, reason);
    }

    @Override
    public Optional<ScopeState> state(ScopeId scope) {
        return store.read(ScopeReads.state(scope));
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope) throws InterruptedException {
        return stopping.needing(scope, () -> joiners.join(scope));
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope, Duration most) throws InterruptedException {
        return stopping.needing(scope, () -> joiners.join(scope, most));
    }

    @Override
    public Optional<ScopeState> join(ScopeId scope, @Nullable Duration most,
            BiPredicate<ScopeState, Consumer<ScopeId>> enough) throws InterruptedException {
        return stopping.needing(scope, () -> joiners.join(scope, most, enough));
    }

    @Override
    public List<WaitState> waits(ScopeId scope) {
        return store.read(ScopeReads.waits(scope));
    }

    @Override
    public List<LateResult> lateResults(ScopeId scope) {
        return store.read(ScopeReads.lateResults(scope));
    }

    @Override
    public List<ScopeState> stuck() {
        return store.read(ScopeReads.stuck());
    }

    @Override
    public boolean retry(ScopeId scope) {
        return by(store).retry(scope);
    }

    @Override
    public List<EffectRow> effects(ScopeId scope) {
        return store.read(ScopeReads.effects(scope));
    }

    @Override
    public boolean abandon(ScopeId scope, Json result, List<OpenDoubt.Of> doubts) {
        return by(store).abandon(scope, result, doubts);
    }

    /**
     * Ends the runtime: the store releases its scopes, and every waiting caller is answered. Each step runs even if an earlier one
     * fails, because memory may still be short.
     */
    private void failed(JournalException why) {
        List<Runnable> steps = List.of(() -> LOG.error("runtime_failed: the runtime ends", why),
                () -> store.fail(why), finder::stop, () -> live.forEach(scope -> scope.memory().signal()),
                () -> live.forEach(LiveScope::interrupt), joiners::ringAll, life::tellClosing);
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (Throwable e) {
                why.addSuppressed(e);
            }
        }
    }

    @Override
    public void close() {
        stopping.close(services.options().closeGrace(), TimeSource.system());
    }

    @Override
    public void close(Duration drain) {
        stopping.close(drain, services.time());
    }

    /** Runs a scope that was claimed, on a thread of its own. */
    private void begin(Claim claim, boolean fresh) {
        var scope = new LiveScope(services, claim);
        live.add(scope);
        try {
            spawn(life.vital(new ScopeLoop(scope, fresh, live, joiners, finder)::enter));
        } catch (Throwable e) { // a claimed scope without a thread would wait for ever
            life.fail(e);
            throw life.gone();
        }
    }

    @Override
    public void spawn(Runnable task) {
        services.threads().start(task);
    }

    @Override
    public boolean isClosing() {
        return life.isClosing();
    }

    @Override
    public boolean stops(ScopeId scope) {
        return life.stops(scope);
    }

    @Override
    public void pausesChanged() {
        finder.pausesChanged();
    }

    @Override
    public Pauses pauses() {
        return store.served().pauses();
    }

    @Override
    public Stage stage() {
        return life.stage();
    }

    @Override
    public List<ScopeInput> running() {
        List<ScopeInput> all = new ArrayList<>();
        live.forEach(scope -> all.add(scope.claim().input()));
        return all;
    }

    @Override
    public List<Working> working() {
        return services.bodies()
                .working()
                .entrySet()
                .stream()
                .flatMap(body -> Optional.ofNullable(live.find(body.getKey().scope()))
                        .map(scope -> new Working(scope.claim().input(), body.getValue()))
                        .stream())
                .toList();
    }

    @Override
    public int atWork(ScopeId scope) {
        LiveScope found = live.find(scope);
        return found == null ? 0 : found.atWork();
    }

    @Override
    public void watch(ScopeId scope, Runnable action) {
        LiveScope found = live.find(scope);
        if (found != null) {
            found.watch(action);
        }
    }

    @Override
    public void lookAgain(ScopeId scope) {
        joiners.ring(scope);
    }

    private Instant now() {
        return services.time().now();
    }
}
