package dev.belay.laws.effect;

import dev.belay.json.Json;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CompletionKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The stage of a scenario: records, one {@link FakeTime}, hosts that start and die like processes, and the bodies of their scopes.
 * Thread-safe.
 */
final class Stage implements AutoCloseable {

    private final HostRecords records;
    private final Duration parkAfter;
    private final boolean encodesChildren;
    private final FakeTime time = new FakeTime();
    private final List<StagedHost> hosts = new ArrayList<>();
    private final Map<String, ScopeRunner> runners = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<String, BlockingQueue<Object>> boxes = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> latches = new ConcurrentHashMap<>();

    Stage(HostRecords records, Duration parkAfter, boolean encodesChildren) {
        this.records = records;
        this.parkAfter = parkAfter;
        this.encodesChildren = encodesChildren;
    }

    HostRecords records() {
        return records;
    }

    FakeTime time() {
        return time;
    }

    Duration parkAfter() {
        return parkAfter;
    }

    boolean parksAtOnce() {
        return parkAfter.isZero();
    }

    /** Sets the body of a kind of scope, on every host. */
    void plays(String kind, ScopeRunner runner) {
        runners.put(kind, runner);
    }

    /** Starts one more process. */
    StagedHost open() throws Exception {
        return open(script -> {});
    }

    /** Starts one more process with a script. */
    StagedHost open(Consumer<Script> fate) throws Exception {
        var script = new Script();
        fate.accept(script);
        var threads = new LiveThreads();
        var host = new StagedHost(this,
                records.open(new HostSettings(time, parkAfter, script, threads, encodesChildren)), script,
                threads);
        hosts.add(host);
        try {
            host.host().serve(new Runners());
        } catch (SimulatedCrash atOnce) {
            script.die(); // it died while it started
        }
        return host;
    }

    private final class Runners implements ScopeRunner {

        @Override
        public Json run(EffectScope scope, ScopeInput input) {
            ScopeRunner runner = runners.get(input.kind());
            if (runner == null) {
                throw new IllegalStateException("this scenario has no " + input.kind());
            }
            return runner.run(scope, input);
        }

        @Override
        public ToolOutcome child(EffectScope scope, ScopeInput input) {
            return OutcomeJson.outcome(run(scope, input));
        }
    }

    /** A child that does what scopes of its kind do. */
    ChildCommand child(String name, String kind, Json value) {
        var input = new ScopeInput(kind, value);
        return new ChildCommand(new EffectKey(name), new ChildCommand.Child() {
            @Override
            public ScopeInput input() {
                return input;
            }

            @Override
            public ToolOutcome run(EffectScope scope) {
                return new Runners().child(scope, input);
            }
        });
    }

    /** Counts an occurrence; returns the count, this one included. */
    int count(String what) {
        return counts.computeIfAbsent(what, key -> new AtomicInteger()).incrementAndGet();
    }

    int counted(String what) {
        AtomicInteger count = counts.get(what);
        return count == null ? 0 : count.get();
    }

    /** Puts a value into a box for another thread; code in scopes may call it. */
    void leave(String box, Object thing) {
        box(box).add(thing);
    }

    /** Waits for a value in a box, and takes it. */
    Object take(String box) throws InterruptedException {
        return box(box).take();
    }

    /** The same for code in scopes: an interrupt ends the entry. */
    Object takeInScope(String box) {
        try {
            return take(box);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + box, e);
        }
    }

    /** Releases all threads that wait for a signal, now and later. */
    void signal(String name) {
        latch(name).countDown();
    }

    /** Waits for a signal in a scope. */
    void awaitInScope(String name) {
        try {
            latch(name).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    private CountDownLatch latch(String name) {
        return latches.computeIfAbsent(name, key -> new CountDownLatch(1));
    }

    /** Makes the key of a wait and shows it to the test. */
    CompletionKey showKey(EffectScope scope, String wait) {
        CompletionKey key = scope.completionKey(new WaitName(wait));
        leave("key of " + wait, key);
        return key;
    }

    /** Waits for the key that a scope shows. */
    CompletionKey key(String wait) throws InterruptedException {
        return (CompletionKey) take("key of " + wait);
    }

    private BlockingQueue<Object> box(String name) {
        return boxes.computeIfAbsent(name, key -> new LinkedBlockingQueue<>());
    }

    @Override
    public void close() throws IOException {
        hosts.forEach(StagedHost::close);
        records.close();
    }
}
