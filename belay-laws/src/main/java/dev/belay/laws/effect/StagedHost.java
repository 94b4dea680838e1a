package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.EffectHost;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A host on the stage, as if it were a process. */
final class StagedHost {

    /** Time passes in small steps, so that slow threads can keep up. */
    private static final Duration STEP = Duration.ofMillis(500);
    private static final long GLANCE = 2_000_000;

    private final Stage stage;
    private final EffectHost host;
    private final Script script;
    private final LiveThreads threads;

    StagedHost(Stage stage, EffectHost host, Script script, LiveThreads threads) {
        this.stage = stage;
        this.host = host;
        this.script = script;
        this.threads = threads;
    }

    EffectHost host() {
        return host;
    }

    Script script() {
        return script;
    }

    LiveThreads threads() {
        return threads;
    }

    /** Submits a scope with an empty input. */
    ScopeId submit(String scope, String kind) {
        return submit(scope, kind, Json.NULL);
    }

    ScopeId submit(String scope, String kind, Json input) {
        var id = new ScopeId(scope);
        host.submit(id, new ScopeInput(kind, input));
        return id;
    }

    Delivery resolve(CompletionKey key, Json value) {
        return host.resolve(key, Resolution.ok(value));
    }

    ScopeState state(ScopeId scope) {
        return host.state(scope).orElseThrow(() -> new AssertionError("there is no scope " + scope));
    }

    /** Waits for the end of a scope while no time passes. */
    Json result(ScopeId scope) throws InterruptedException {
        return resultOf(host.join(scope)
                .orElseThrow(() -> new AssertionError("there is no scope " + scope)));
    }

    /** Waits for the end of a scope while time passes. */
    Json resultInTime(ScopeId scope) throws InterruptedException {
        return resultOf(settledInTime(scope));
    }

    /** Waits until a scope has ended or is stuck, while time passes. */
    ScopeState settledInTime(ScopeId scope) throws InterruptedException {
        push(() -> host.state(scope).map(ScopeState::isSettled).orElse(false));
        return state(scope);
    }

    private static Json resultOf(ScopeState state) {
        assertThat(state.status()).as("%s", state).isEqualTo(ScopeState.Status.ENDED);
        Json result = state.result();
        assertThat(result).as("result of %s", state).isNotNull();
        return result == null ? Json.NULL : result;
    }

    /** Lets time pass until a waiting scope has parked. */
    void letPark(ScopeId scope) throws InterruptedException {
        letPark(scope, 1);
    }

    /** The same, where the scope has parked before. */
    void letPark(ScopeId scope, int times) throws InterruptedException {
        push(() -> script.wrote("park " + scope, times));
        assertThat(state(scope).status()).isEqualTo(ScopeState.Status.PARKED);
    }

    /** Lets time pass until a condition holds. */
    void push(BooleanSupplier condition) throws InterruptedException {
        push(condition, STEP);
    }

    /** The same with another step, for waits of days. */
    void push(BooleanSupplier condition, Duration step) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            script.awaitChange(GLANCE);
            if (!condition.getAsBoolean()) {
                stage.time().advance(step);
            }
        }
    }

    /** Holds up the first write of that name. */
    Script.Gate holdUp(Moment moment, String write) {
        return script.holdUp(moment, write);
    }

    /** Kills the process: it writes nothing more and sends no events. */
    void crash() {
        script.die();
        close();
    }

    /** Waits until the process has died by its script, and removes it. */
    void awaitCrash() throws InterruptedException {
        script.awaitDead();
        close();
    }

    /** Closes it while time passes, so that pauses inside it end. */
    void close() {
        Thread closer = Thread.ofPlatform().name("closer").start(host::close);
        stage.time().passUntilEnd(closer);
    }

    /** Runs an action on a thread of its own and returns when it is done or blocked. */
    static Beside beside(Action action) {
        var fault = new AtomicReference<@Nullable Throwable>();
        Thread thread = Thread.ofPlatform().name("beside").daemon().start(() -> {
            try {
                action.run();
            } catch (Throwable e) {
                fault.set(e);
            }
        });
        while (thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        return new Beside(thread, fault);
    }

    /** An action beside the test. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    /** An action that runs beside a test. */
    record Beside(Thread thread, AtomicReference<@Nullable Throwable> fault) {

        /** Waits for its end and rethrows its failure. */
        void join() throws InterruptedException {
            thread.join();
            Throwable thrown = fault.get();
            if (thrown != null) {
                throw new AssertionError("what ran beside the test failed", thrown);
            }
        }
    }
}
