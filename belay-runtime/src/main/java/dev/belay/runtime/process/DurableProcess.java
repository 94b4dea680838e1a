package dev.belay.runtime.process;

import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.engine.BodySteps;
import dev.belay.runtime.process.engine.ProcessEngine;
import dev.belay.runtime.process.engine.ProcessEntry;
import dev.belay.runtime.process.engine.ProcessJson;
import dev.belay.runtime.process.engine.Signals;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that was started. Holds nothing: it can be made again by {@link Processes#get}. Thread-safe, unless a resumable body
 * was given it: then waiting and signalling are steps of that body.
 */
public final class DurableProcess {

    private final ProcessEngine engine;
    private final ProcessId id;
    private final @Nullable BodySteps steps;

    public DurableProcess(ProcessEngine engine, ProcessId id, @Nullable BodySteps steps) {
        this.engine = engine;
        this.id = id;
        this.steps = steps;
    }

    /** The process. */
    public ProcessId id() {
        return id;
    }

    /** What is known of it. */
    public ProcessInfo info() {
        return engine.info(id);
    }

    /** How it stands. */
    public ProcessStatus status() {
        return info().status();
    }

    /** How it ended; empty until it has. */
    public Optional<ProcessEnd> end() {
        return Optional.ofNullable(info().end());
    }

    /**
     * Waits until it has ended, parked or not. In a resumable body a step: no thread is held.
     *
     * @throws dev.belay.BelayException {@code process_stuck} if it cannot go on by itself
     */
    public ProcessEnd await() throws InterruptedException {
        return steps == null ? engine.await(id) : steps.await(engine, id);
    }

    /**
     * Waits for that, but no longer than the given time; the process goes on, and can be awaited again.
     *
     * @return empty if it had not ended in that time
     * @throws dev.belay.BelayException {@code process_stuck} if it cannot go on by itself
     */
    public Optional<ProcessEnd> await(Duration most) throws InterruptedException {
        return steps == null ? engine.await(id, most) : steps.await(engine, id, most);
    }

    /**
     * Asks it to end. Durable, and ordered against its end: after it the answer is {@link CancelReceipt.AlreadyEnded}. A body
     * is interrupted and sees the cancellation.
     */
    public CancelReceipt cancel(String reason) {
        return engine.host().cancel(ProcessScope.id(id), Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Sends a signal to its body. Kept if the body does not wait for it yet; several of one name are got in the order in which
     * they came.
     *
     * @throws dev.belay.BelayException {@code process_ended} if it has ended, {@code process_takes_no_signals} if it has no body
     *         that can wait
     */
    public void signal(String name, Json payload) {
        signal(name, payload, null);
    }

    /** The same; sent again with the same key, after a lost answer, it is sent once. */
    public void signal(String name, Json payload, @Nullable String key) {
        if (steps == null) {
            send(name, payload, key);
        } else {
            steps.signal(this, name, payload, key);
        }
    }

    public void send(String name, Json payload, @Nullable String key) {
        ProcessRow row = engine.row(id);
        if (row.endedAt() != null) {
            throw ProcessEngine.over(id);
        }
        Signals.send(engine, row, name, payload, key);
    }

    /**
     * Events behind a place, in their order.
     *
     * @param after the place of the last one that is known; 0 begins with the first
     * @param most at most this many
     */
    public List<ProcessEvent> events(long after, int most) {
        return engine.store().events(id, after, most);
    }

    /**
     * Adds an event to external work, once for each key.
     *
     * @throws dev.belay.BelayException {@code process_not_external} if it runs here, {@code process_ended} if it has ended,
     *         {@code input_conflict} if the key is known with another content
     */
    public void tell(String key, String type, Json payload) {
        engine.tell(id, new ProcessEvent.Draft(key, type, payload));
    }

    /**
     * Completes external work. The first one wins.
     *
     * @throws dev.belay.BelayException {@code process_not_external} if it runs here, {@code resource_limit} if the value has more
     *         than 64 MiB or is 480 deep
     */
    public Delivery complete(Json value) {
        return settle(Resolution.ok(ProcessJson.recordable(value)));
    }

    /** Ends external work with a failure. The first one wins. */
    public Delivery fail(ToolFailure failure) {
        return settle(new Resolution.Failed(failure));
    }

    private Delivery settle(Resolution resolution) {
        ProcessRow row = engine.row(id);
        ProcessEngine.external(ProcessInfo.of(row));
        String cancelled = row.scope().cancelReason();
        if (cancelled != null && !isSettled(row)) {
            return new Delivery.Lost(new Resolution.Cancelled(cancelled)); // it is about to end so
        }
        return engine.host().resolve(row.scope().id(), row.incarnation(), ProcessEntry.OUTCOME, resolution);
    }

    private boolean isSettled(ProcessRow row) {
        return engine.host()
                .waits(row.scope().id())
                .stream()
                .anyMatch(wait -> wait.name().equals(ProcessEntry.OUTCOME) && wait.resolution() != null);
    }

    /** Lets one more session handle it and, if it has not ended, be told of its end. */
    public void grantTo(String session) {
        engine.grant(id, new SessionId(session));
    }

    @Override
    public String toString() {
        return "process " + id;
    }
}
