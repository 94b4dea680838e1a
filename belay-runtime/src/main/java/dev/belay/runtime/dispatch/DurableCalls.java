package dev.belay.runtime.dispatch;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.dispatch.record.RecordedScope;
import dev.belay.runtime.effect.CancelReceipt;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeOperations;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.journal.AgentKinds;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tool calls that survive the process: each batch has a name, is accepted durably, and goes on after a crash, in this process
 * or another, until every call has an outcome. Thread-safe.
 *
 * <p>The same name with the same calls is the same batch: running it again attaches to it, or gives its outcomes. The
 * incarnation in its idempotency keys is 128 random bits, drawn when the batch is accepted for the first time and recorded with
 * it; so the keys of a batch never change, and another store that accepts the same name has other keys.
 */
public final class DurableCalls implements AutoCloseable {

    private static final List<String> RESERVED = List.of("turn/", "process/");

    private final JournalHost host;
    private final @Nullable RestingScopes rests;
    private final ToolDispatcher dispatcher;
    private final String kind;
    private final Function<AuditEntry.Note, ScopeOperations> noting;
    private final Actor actor;
    /** The contexts of batches that run here, for calls that are given as data. */
    private final Map<ScopeId, Carriers.Captured> live;

    /**
     * Calls on a host that serves {@link #runner}; a program gets them from {@code belay.calls()}.
     *
     * @param host runs the batches
     * @param dispatcher runs the calls
     * @param agent whose tools are called; a runtime that does not define it leaves the batches alone
     * @param noting the verbs of an operator that leave a note in the audit log
     * @param rests waits for batches that may rest; null if none is told to rest
     */
    public DurableCalls(JournalHost host, ToolDispatcher dispatcher, String agent,
            Function<AuditEntry.Note, ScopeOperations> noting, @Nullable RestingScopes rests) {
        this.rests = rests;
        this.host = host;
        this.dispatcher = dispatcher;
        this.kind = AgentKinds.calls(agent);
        this.noting = noting;
        this.actor = Actor.PROGRAM;
        this.live = new ConcurrentHashMap<>();
    }

    private DurableCalls(DurableCalls calls, Actor actor) {
        this.host = calls.host;
        this.rests = calls.rests;
        this.dispatcher = calls.dispatcher;
        this.kind = calls.kind;
        this.noting = calls.noting;
        this.actor = actor;
        this.live = calls.live;
    }

    /** The same for another actor: what is retried, cancelled and abandoned through it stands in the audit log under that name. */
    public DurableCalls as(Actor other) {
        return new DurableCalls(this, Objects.requireNonNull(other, "actor"));
    }

    /** Serves a host without a runtime around it, with the tools of a provider, internal ones included. For tests. */
    public static DurableCalls open(JournalHost host, ToolProvider tools) {
        return open(host, ToolDispatcher.builder(tools).offering(manifest -> true).build());
    }

    /**
     * Serves a host without a runtime around it. For tests.
     *
     * @param host served from now on, and closed with this; it must not be served otherwise
     * @param dispatcher runs the calls
     */
    public static DurableCalls open(JournalHost host, ToolDispatcher dispatcher) {
        var calls = new DurableCalls(host, dispatcher, SessionProfile.DEFAULT_AGENT, note -> host, null);
        host.serve(calls.runner(), Set.of(calls.kind));
        return calls;
    }

    /** The kind of the scopes that its batches run in; it names the agent. */
    public String kind() {
        return kind;
    }

    /** Runs batches, and calls of batches that are entered here. */
    public ScopeRunner runner() {
        return new Batches();
    }

    /**
     * Runs a batch and waits until it has ended or rests.
     *
     * @param name of the batch
     * @param calls what to call; the same as before if the name is known, else {@code input_conflict}
     * @throws BelayException {@code scope_stuck} if the batch cannot go on by itself
     */
    public CallsResult run(String name, List<CallRequest> calls) throws InterruptedException {
        submit(name, calls);
        return await(name, null);
    }

    private CallsResult await(String name, @Nullable List<Wait> known) throws InterruptedException {
        RestingScopes.Joined joined = rests == null
                ? new RestingScopes.Joined(host.join(new ScopeId(name)), null)
                : rests.join(new ScopeId(name), null, known);
        List<Wait> waits = joined.waits();
        return waits != null && rests != null
                ? new CallsResult.Resting(name, waits,
                        told -> rests.after("batch " + name, () -> await(name, told)))
                : new CallsResult.Ended(joined.state()
                        .map(state -> ended(name, state))
                        .orElseThrow(() -> new BelayException("unknown_scope", "batch " + name
                                + " was accepted and is gone; another program has changed its store")));
    }

    /**
     * Accepts a batch durably and returns; {@code input_conflict} if the name is known with other calls.
     *
     * @param name of the batch; not {@code turn/…} or {@code process/…}, by which turns and processes stand in the same records
     */
    public void submit(String name, List<CallRequest> calls) {
        if (RESERVED.stream().anyMatch(name::startsWith)) {
            throw new IllegalArgumentException("a batch must not be named like a turn or a process ("
                    + String.join("…, ", RESERVED) + "…), found \"" + name + "\"; put something before it");
        }
        var id = new ScopeId(name);
        var batch = new ToolBatch(Incarnation.random(dispatcher.random()), 0, 0, calls,
                dispatcher.carriers().accepted());
        try {
            host.submit(id, new ScopeInput(kind, batch.toJson()));
        } catch (BelayException conflict) {
            if (!conflict.code().equals("input_conflict") || !isSame(id, calls)) {
                throw conflict;
            }
        }
    }

    /** Whether only the incarnation differs: the first submission has drawn it. */
    private boolean isSame(ScopeId id, List<CallRequest> calls) {
        return host.state(id)
                .filter(state -> state.input().kind().equals(kind))
                .filter(state -> ToolBatch.of(state.input().value()).calls().equals(calls))
                .isPresent();
    }

    /**
     * Waits until a batch has ended, however long it rests; empty if there is no such batch, {@code scope_stuck} if it cannot go on by
     * itself.
     */
    public Optional<List<ToolOutcome>> join(String name) throws InterruptedException {
        return host.join(new ScopeId(name)).map(state -> ended(name, state));
    }

    private static List<ToolOutcome> ended(String name, ScopeState state) {
        Json result = state.result();
        if (result == null) {
            throw new BelayException("scope_stuck", "batch " + name + " cannot go on by itself: "
                    + state.stuckBecause() + "; retry it or abandon it");
        }
        return outcomes(result);
    }

    /** How a batch stands; empty if there is none of that name. */
    public Optional<ScopeState> state(String name) {
        return host.state(new ScopeId(name));
    }

    /** Asks a batch to end: finished calls keep their outcomes, the others are cancelled. */
    public CancelReceipt cancel(String name, String reason) {
        return noting("cancel", name, reason).cancel(new ScopeId(name), reason);
    }

    private ScopeOperations noting(String verb, String name, @Nullable String reason) {
        return noting.apply(AuditEntry.Note.of(actor, verb, "batch " + name, reason));
    }

    /** Completes a parked call, by the whole string of its key. */
    public Delivery resolve(String token, Resolution resolution) {
        return host.resolve(token, resolution);
    }

    /** Batches, of any agent, that cannot go on by themselves; each waits until it is retried or abandoned by its name. */
    public List<ScopeState> stuck() {
        return host.stuck().stream().filter(state -> AgentKinds.isCalls(state.input().kind())).toList();
    }

    /** Lets a stuck batch go on. */
    public VerbResult retry(String name) {
        return noting("retry", name, null).retry(new ScopeId(name))
                ? VerbResult.DONE
                : instead(name, new VerbResult.NotPossible("batch " + name + " has ended"),
                        VerbResult.ALREADY);
    }

    /**
     * Ends a stuck batch: calls that have no outcome are cancelled for that reason. One that was started and must not be repeated is
     * in doubt.
     */
    public VerbResult abandon(String name, String reason) {
        var id = new ScopeId(name);
        ScopeState state = host.state(id)
                .filter(found -> AgentKinds.isCalls(found.input().kind()))
                .orElse(null);
        if (state != null) {
            RecordedScope recorded = RecordedScope.of(host, id);
            List<OpenDoubt.Of> doubts = RecordedDoubts.of(recorded, null, null, reason);
            List<ToolOutcome> outcomes = IntStream
                    .range(0, ToolBatch.of(state.input().value()).calls().size())
                    .mapToObj(index -> RecordedOutcome.of(recorded, 0, 0, index, reason))
                    .toList();
            if (noting("abandon", name, reason).abandon(id, result(outcomes), doubts)) {
                RecordedDoubts.tell(id, doubts, dispatcher.listener()::on);
                return VerbResult.DONE;
            }
        }
        return instead(name, VerbResult.ALREADY, new VerbResult.NotPossible(
                "batch " + name + " is not stuck; cancel it if it should end"));
    }

    private VerbResult instead(String name, VerbResult ifEnded, VerbResult ifNot) {
        return state(name).map(state -> state.status() == ScopeState.Status.ENDED ? ifEnded : ifNot)
                .orElseGet(() -> new VerbResult.NotPossible("there is no batch " + name));
    }

    /**
     * Closes the host, and with it a runtime that these are the calls of: running calls are interrupted, records stay, and the rest
     * goes on when the host is opened again.
     */
    @Override
    public void close() {
        host.close();
    }

    private final class Batches implements ScopeRunner {

        @Override
        public Json run(EffectScope scope, ScopeInput input) {
            if (!input.kind().equals(kind)) {
                throw new BelayException("unknown_scope", "scope " + scope.id() + " is of kind "
                        + input.kind() + "; batches of calls are of kind " + kind
                        + ", so another program must serve it");
            }
            ToolBatch batch = ToolBatch.of(input.value());
            live.put(scope.id(), dispatcher.carriers().of(batch.context()));
            try {
                return within(scope, () -> result(dispatcher.dispatch(scope, batch)));
            } finally {
                live.remove(scope.id());
            }
        }

        @Override
        public ToolOutcome child(EffectScope scope, ScopeInput input) {
            return within(scope, () -> dispatcher.call(scope, input));
        }

        private <T> T within(EffectScope scope, Supplier<T> action) {
            return Carriers.within(live.getOrDefault(scope.id(), () -> () -> {}), action);
        }
    }

    private static Json result(List<ToolOutcome> outcomes) {
        return Json.write(out -> {
            out.beginObject().name("v").value(RecordReader.VERSION).name("outcomes").beginArray();
            outcomes.forEach(outcome -> out.value(OutcomeJson.of(outcome)));
            out.endArray().endObject();
        });
    }

    private static List<ToolOutcome> outcomes(Json result) {
        return RecordReader.versioned("result of a batch", result,
                () -> RecordReader.field(result, "outcomes")
                        .items()
                        .stream()
                        .map(OutcomeJson::outcome)
                        .toList());
    }
}
