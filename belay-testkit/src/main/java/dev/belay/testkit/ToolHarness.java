package dev.belay.testkit;

import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Calls one tool as the runtime would: admitted, decoded, validated, journaled, with deadlines and retries, but in memory and on a
 * {@link FakeTime}. Shows the outcome, the events and the records. There is no session: a tool that asks for the context of one fails
 * with {@code capability_unavailable}. Thread-safe.
 */
public final class ToolHarness implements AutoCloseable {

    private final FakeTime time = new FakeTime();
    private final Journal journal;
    private final DurableCalls calls;
    private final List<CallEvent> events = new ArrayList<>();
    private int started;
    private int changes;

    private ToolHarness(ToolProvider tools, HostValues values) {
        journal = new SharedMemory().journal(this::written);
        calls = DurableCalls.open(
                JournalEffectHost.open(journal, HostOptions.DEFAULT.withTime(time)
                        .withParkAfter(Duration.ZERO)),
                ToolDispatcher.builder(tools)
                        .offering(manifest -> true)
                        .hostValues(values)
                        .time(time)
                        .listener(this::heard)
                        .build());
    }

    /** Calls the tools of a provider. */
    public static ToolHarness of(ToolProvider tools) {
        return new ToolHarness(tools, HostValues.NONE);
    }

    /** Calls the tools of a provider that need values from the host. */
    public static ToolHarness of(ToolProvider tools, HostValues values) {
        return new ToolHarness(tools, values);
    }

    /** The time, to be moved by the test. */
    public FakeTime time() {
        return time;
    }

    /**
     * Calls a tool and waits for its end.
     *
     * @param tool its name
     * @param arguments as a model would write them
     * @throws IllegalStateException if it waits for something outside; use {@link #start} then
     */
    public ToolOutcome call(String tool, String arguments) throws InterruptedException {
        Call call = start(tool, arguments);
        return call.rest()
                .orElseThrow(() -> new IllegalStateException("tool " + tool
                        + " waits for something outside; call it with start, let it happen, and ask for the outcome"));
    }

    /** Starts a call; see {@link Call#outcome}. */
    public Call start(String tool, String arguments) {
        String name;
        synchronized (this) {
            name = "call-" + started++;
        }
        calls.submit(name, List.of(new CallRequest(tool, arguments)));
        return new Call(name);
    }

    /** Completes a wait, by the whole string of the key that the tool handed out. */
    public Delivery resolve(String token, Resolution resolution) {
        return calls.resolve(token, resolution);
    }

    @Override
    public void close() {
        Thread closer = Thread.ofPlatform().name("tool-harness-closer").daemon().start(calls::close);
        time.passUntilEnd(closer);
    }

    private synchronized void written(JournalProbe.Moment moment, String write) {
        changes++;
        notifyAll();
    }

    private synchronized void heard(CallEvent event) {
        events.add(event);
        notifyAll();
    }

    private synchronized int changes() {
        return changes;
    }

    private synchronized void awaitChange(int seen) throws InterruptedException {
        while (changes == seen) {
            wait();
        }
    }

    /** A call under way. */
    public final class Call {

        private final ScopeId scope;

        private Call(String name) {
            scope = new ScopeId(name);
        }

        /** Waits until the call has ended. */
        public ToolOutcome outcome() throws InterruptedException {
            return calls.join(scope.value()).orElseThrow().getFirst();
        }

        /** Waits until the call has ended; empty if it waits for something outside. */
        public Optional<ToolOutcome> rest() throws InterruptedException {
            while (true) {
                int seen = changes();
                ScopeState state = calls.state(scope.value()).orElseThrow();
                if (state.isSettled()) {
                    return Optional.of(outcome());
                }
                if (state.status() == ScopeState.Status.PARKED) {
                    return Optional.empty();
                }
                awaitChange(seen);
            }
        }

        /** Asks the call to end. */
        public CancelReceipt cancel(String reason) {
            return calls.cancel(scope.value(), reason);
        }

        /** Its events so far; the last one arrives a moment after the outcome. */
        public List<CallEvent> events() {
            synchronized (ToolHarness.this) {
                return events.stream().filter(event -> event.call().scope().equals(scope)).toList();
            }
        }

        /** Waits for the event of its end, and returns all its events. */
        public List<CallEvent> eventsToTheEnd() throws InterruptedException {
            outcome();
            synchronized (ToolHarness.this) {
                while (events().stream().noneMatch(CallEvent.Finished.class::isInstance)) {
                    ToolHarness.this.wait();
                }
                return events();
            }
        }

        /** Its records. */
        public List<Journal.EffectRow> records() {
            return journal.effects(scope);
        }
    }
}
