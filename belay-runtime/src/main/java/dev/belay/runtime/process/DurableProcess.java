package dev.belay.runtime.process;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.process.engine.AwaitedWork;
import dev.belay.runtime.process.engine.BodySteps;
import dev.belay.runtime.process.engine.CallProcesses;
import dev.belay.runtime.process.engine.KeptProcesses;
import dev.belay.runtime.process.engine.ProcessFaults;
import dev.belay.runtime.process.engine.ProcessJson;
import dev.belay.runtime.process.engine.Signals;
import dev.belay.runtime.store.ProcessEvent;
import dev.belay.runtime.store.ProcessId;
import dev.belay.runtime.store.ProcessRow;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.law.ProcessReads;
import dev.belay.tool.ToolFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a process that was started. It holds no resource, and {@link Processes#get} makes it again. Thread-safe, except in
 * a resumable body, where waiting and signalling are steps of that body.
 */
public final class DurableProcess {

    private final KeptProcesses kept;
    private final ProcessId id;
    private final @Nullable BodySteps steps;
    private final CallProcesses.@Nullable Starter body;

    /**
     * Made by the runtime.
     *
     * @param steps of the resumable body that holds this handle; null for any other holder
     * @param body of a turn that holds this handle; null for any other holder
     */
    public DurableProcess(KeptProcesses kept, ProcessId id, @Nullable BodySteps steps,
            CallProcesses.@Nullable Starter body) {
        this.kept = kept;
        this.id = id;
        this.steps = steps;
        this.body = body;
    }

    /** The id of the process. */
    public ProcessId id() {
        return id;
    }

    /** Reads its state. */
    public ProcessInfo info() {
        return kept.info(id);
    }

    /** Reads its status. */
    public ProcessStatus status() {
        return info().status();
    }

    /** Its end; empty until it has ended. */
    public Optional<ProcessEnd> end() {
        return Optional.ofNullable(info().end());
    }

    /**
     * Waits until it has ended or rests. In a body of a turn it waits for the end, and the turn rests with the process.
     *
     * @throws dev.belay.BelayException {@code process_stuck} if it cannot go on by itself
     */
    public ProcessResult await() throws InterruptedException {
        return body != null ? awaitEnd() : kept.await(id, null, null).orElseThrow();
    }

    /**
     * Waits for that, but no longer than the given time. The process goes on and can be awaited again.
     *
     * @return empty if it goes on then
     * @throws dev.belay.BelayException {@code process_stuck} if it cannot go on by itself
     */
    public Optional<ProcessResult> await(Duration most) throws InterruptedException {
        return body == null
                ? kept.await(id, most, null)
                : (steps == null ? kept.awaitEnd(id, most) : steps.await(id, most))
                        .map(ProcessResult.class::cast);
    }

    /**
     * Waits until it has ended, however long it rests. In a resumable body this is a step and holds no thread.
     *
     * @throws dev.belay.BelayException {@code process_stuck} if it cannot go on by itself
     */
    public ProcessEnd awaitEnd() throws InterruptedException {
        if (steps != null) {
            return steps.await(id);
        }
        Runnable over = body == null ? () -> {} : body.awaits(id);
        try {
            return kept.awaitEnd(id);
        } finally {
            over.run();
        }
    }

    /**
     * Asks it to end. The request is durable and ordered against the end: a process that has ended answers
     * {@link CancelReceipt.AlreadyEnded}. A body is interrupted and sees the cancellation.
     */
    public CancelReceipt cancel(String reason) {
        return kept.host().cancel(ProcessScope.id(id), Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Sends a signal to its body. The signal is kept until the body waits for it; signals of one name arrive in the order in which
     * they were sent.
     *
     * @throws dev.belay.BelayException {@code process_ended} if it has ended, {@code process_takes_no_signals} if it has no
     *         resumable body
     */
    public void signal(String name, Json payload) {
        signal(name, payload, null);
    }

    /** Sends a signal once for each key, also if it is sent again after a lost answer. */
    public void signal(String name, Json payload, @Nullable String key) {
        if (steps == null) {
            send(name, payload, key);
        } else {
            steps.signal(name, key, once -> send(name, payload, once));
        }
    }

    private void send(String name, Json payload, @Nullable String key) {
        ProcessRow row = kept.row(id);
        if (row.endedAt() != null) {
            throw ProcessFaults.ended(id);
        }
        Signals.send(kept, row, name, payload, key);
    }

    /**
     * Reads events in the order in which they were told.
     *
     * @param after the place of the last known event; 0 begins with the first
     * @param most at most this many
     */
    public List<ProcessEvent> events(long after, int most) {
        return kept.store().read(ProcessReads.events(id, after, most));
    }

    /**
     * Adds an event to external work, once for each key.
     *
     * @throws dev.belay.BelayException {@code process_not_external} if it runs here, {@code process_ended} if it has ended,
     *         {@code input_conflict} if the key is known with another content
     */
    public void tell(String key, String type, Json payload) {
        external(kept.info(id).work());
        switch (kept.store()
                .apply(kept.store()
                        .processes()
                        .tell(id, new ProcessEvent.Draft(key, type, payload), kept.time().now()))) {
            case ADDED, KNOWN -> {
            }
            case CONFLICT -> throw new BelayException("input_conflict", "process " + id
                    + " has an event of the key " + key + " with another content; use another key");
            case ENDED -> throw ProcessFaults.ended(id);
            case FENCED, UNKNOWN -> throw ProcessFaults.unknown(id);
        }
    }

    /**
     * Completes external work. The first completion or failure wins.
     *
     * @throws dev.belay.BelayException {@code process_not_external} if it runs here, {@code resource_limit} if the value has more
     *         than 64 MiB or is 480 deep
     */
    public Delivery complete(Json value) {
        return settle(Resolution.ok(ProcessJson.recordable(value)));
    }

    /** Ends external work with a failure. The first completion or failure wins. */
    public Delivery fail(ToolFailure failure) {
        return settle(new Resolution.Failed(failure));
    }

    private Delivery settle(Resolution resolution) {
        ProcessRow row = kept.row(id);
        external(kept.infos(List.of(row)).getFirst().work());
        String cancelled = row.scope().cancelReason();
        if (cancelled != null && !isSettled(row)) {
            return new Delivery.Lost(new Resolution.Cancelled(cancelled)); // the request is recorded first, so the process will end cancelled
        }
        return kept.host().resolve(row.scope().id(), row.incarnation(), AwaitedWork.OUTCOME, resolution);
    }

    private boolean isSettled(ProcessRow row) {
        return kept.host()
                .waits(row.scope().id())
                .stream()
                .anyMatch(wait -> wait.name().equals(AwaitedWork.OUTCOME) && wait.resolution() != null);
    }

    private void external(ProcessWork work) {
        if (!(work instanceof ProcessWork.External)) {
            throw new BelayException("process_not_external", "process " + id + " (" + work.name()
                    + ") runs here; only external work can be completed or told from outside");
        }
    }

    /** Grants it to one more session, which may handle it and gets a notice of its end, unless it has ended. */
    public void grantTo(String session) {
        kept.grant(id, new SessionId(session));
    }

    @Override
    public String toString() {
        return "process " + id;
    }
}
