package dev.belay.tests.dispatch;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.ToolDispatcherBuilder;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Records in memory, a time of its own, and processes that come and go on them. */
final class Bench implements AutoCloseable {

    /** A test that waits for what never comes should fail, not hang. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For how long scopes of a {@link #patient} bench hold their thread. */
    static final Duration PATIENT = Duration.ofDays(1);

    private static final Json ANYTHING = Json.of("{\"type\":\"object\"}");

    final FakeTime time = new FakeTime();
    final SharedMemory records = new SharedMemory(new Random(7));
    final BlockingQueue<CallEvent> events = new LinkedBlockingQueue<>();
    /** Names of the records that were written, by every process. */
    final List<String> writes = new CopyOnWriteArrayList<>();
    private final List<OneProcess> processes = new ArrayList<>();
    private final Duration parkAfter;

    Bench(Duration parkAfter) {
        this.parkAfter = parkAfter;
    }

    /** Scopes hold their thread for as long as they like. */
    static Bench patient() {
        return new Bench(PATIENT);
    }

    /** Whatever waits is put away at once. */
    static Bench parking() {
        return new Bench(Duration.ZERO);
    }

    /** A raw tool that takes any object. */
    static ToolDefinition tool(String name, ToolEffect effect) {
        return ToolDefinition.raw(name, "Does " + name + ".", ANYTHING).effect(effect);
    }

    static CallRequest call(String tool) {
        return new CallRequest(tool, "{}");
    }

    OneProcess open(ToolProvider tools) {
        return open(tools, builder -> builder);
    }

    OneProcess open(ToolProvider tools, UnaryOperator<ToolDispatcherBuilder> options) {
        var process = new OneProcess(tools, options);
        processes.add(process);
        return process;
    }

    /** The next event, of any call. */
    CallEvent event() throws InterruptedException {
        CallEvent event = events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event came");
        }
        return event;
    }

    private synchronized void written(String write) {
        writes.add(write);
        notifyAll();
    }

    /** Waits until something was written. */
    void awaitWrite(String write) throws InterruptedException {
        awaitWrites(write, 1);
    }

    /** Waits until something was written so many times. */
    synchronized void awaitWrites(String write, int times) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (Collections.frequency(writes, write) < times) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                throw new AssertionError("waited for " + write + ", found " + writes);
            }
            wait(left);
        }
    }

    /** Records of effects, in order. */
    List<String> effects() {
        return writes.stream().filter(write -> write.startsWith("effect ")).toList();
    }

    /** Runs something that blocks, beside the test. */
    static <T> FutureTask<T> beside(Callable<T> task) {
        var future = new FutureTask<>(task);
        Thread.ofVirtual().start(future);
        return future;
    }

    static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        processes.forEach(OneProcess::close);
    }

    /** One process. */
    final class OneProcess implements AutoCloseable {

        final JournalEffectHost host;
        final DurableCalls calls;
        private final CountDownLatch died = new CountDownLatch(1);
        private volatile boolean dead;
        private volatile @Nullable String deadly;
        private volatile JournalProbe.@Nullable Moment when;

        private OneProcess(ToolProvider tools, UnaryOperator<ToolDispatcherBuilder> options) {
            host = JournalEffectHost.open(records.open(this::probe),
                    HostOptions.DEFAULT.withTime(time).withParkAfter(parkAfter));
            var builder = ToolDispatcher.builder(tools)
                    .time(time)
                    .random(new Random(11))
                    .listener(events::add);
            calls = DurableCalls.open(host, options.apply(builder).build());
        }

        private void probe(JournalProbe.Moment moment, String write) {
            if (dead || (write.equals(deadly) && moment == when)) {
                dead = true;
                died.countDown();
                throw new SimulatedCrash(moment + " " + write);
            }
            if (moment == JournalProbe.Moment.AFTER) {
                written(write);
            }
        }

        /** Dies at a write. */
        OneProcess dyingAt(JournalProbe.Moment moment, String write) {
            when = moment;
            deadly = write;
            return this;
        }

        void awaitDeath() throws InterruptedException {
            if (!died.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("it lives on after " + writes);
            }
            kill(); // returns when the journal has noticed
        }

        /** Dies now: nothing more is written. */
        void kill() {
            dead = true;
            try {
                host.retry(new ScopeId("nobody"));
            } catch (RuntimeException expected) {
                // the journal is dead now
            }
        }

        List<ToolOutcome> run(CallRequest... calls) throws Exception {
            return get(beside(() -> this.calls.run("batch", List.of(calls)).outcomes()));
        }

        FutureTask<List<ToolOutcome>> start(CallRequest... calls) {
            this.calls.submit("batch", List.of(calls));
            return joined();
        }

        FutureTask<List<ToolOutcome>> joined() {
            return beside(() -> this.calls.join("batch").orElseThrow());
        }

        @Override
        public void close() {
            try {
                calls.close();
            } catch (RuntimeException e) {
                if (!dead) {
                    throw e;
                }
            }
        }
    }
}
