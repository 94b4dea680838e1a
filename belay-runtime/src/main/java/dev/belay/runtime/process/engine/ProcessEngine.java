package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.body.MdcCarrier;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeRunner;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Processes;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.ProcessScope;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.law.OperatorReads.ActiveScope;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Runs the scopes of processes, and makes the doors through which programs and bodies reach processes. Thread-safe.
 *
 * <p>{@link KeptProcesses} starts and finds processes, {@link CalledWork} and {@link AwaitedWork} do their work,
 * {@link ProcessEnds} writes how they ended.
 */
public final class ProcessEngine implements ScopeRunner {

    private final KeptProcesses kept;
    private final ProcessEnds ends;
    private final CalledWork called;
    private final AwaitedWork awaited;

    /**
     * The parts of an engine.
     *
     * @param store keeps processes
     * @param host over the store's journal
     * @param tools of each agent, by its name
     * @param settings bodies and what runs them
     * @param sessions runs turns
     * @param time the host's
     * @param random for ids and incarnations; thread-safe
     * @param waits says what a process waits for, given the sessions whose pauses hold it
     */
    public record Parts(Store store, JournalHost host, Map<String, AgentTools> tools,
            ProcessSettings settings, SessionWork sessions, TimeSource time,
            RandomGenerator random, BiFunction<ActiveScope, List<String>, WaitsFor> waits,
            RestingScopes rests) {}

    /** Makes an engine; its owner serves the host and hands it the scopes of processes. */
    public ProcessEngine(Parts parts) {
        kept = new KeptProcesses(parts.store(), parts.host(), parts.settings(), parts.time(), parts.random(),
                parts.waits(), parts.rests());
        ends = new ProcessEnds(kept);
        called = new CalledWork(kept, parts.tools(), parts.sessions());
        awaited = new AwaitedWork(parts.sessions());
    }

    @Override
    public ToolOutcome child(EffectScope scope, ScopeInput input) {
        return called.call(scope, input);
    }

    @Override
    public Json run(EffectScope scope, ScopeInput input) {
        if (!ProcessScope.isProcess(input.kind())) {
            throw new BelayException("unknown_scope", "scope " + scope.id() + " is of kind " + input.kind()
                    + "; processes are of kind " + ProcessScope.KIND + ", so another program must serve it");
        }
        Beginning beginning = Beginning.of(input);
        ProcessEnd end = Carriers.within(kept.settings()
                .dispatcher()
                .carriers()
                .of(beginning.context())
                .marked(() -> Map.of(MdcCarrier.PROCESS, beginning.id().value())),
                () -> work(scope, beginning));
        ClaimedScope.of(scope).endWith((claim, result, at) -> ends.end(claim, beginning, end, at));
        return end.toJson();
    }

    private ProcessEnd work(EffectScope scope, Beginning beginning) {
        return switch (beginning.work()) {
            case ProcessWork.Tool tool -> called.tool(scope, beginning, tool);
            case ProcessWork.Body body -> called.body(scope, beginning, body);
            case ProcessWork.Turn turn -> awaited.turn(scope, beginning, turn);
            case ProcessWork.External external -> awaited.external(scope);
            case ProcessWork.Unreadable(String problem) -> throw new IllegalStateException(problem);
        };
    }

    /** The processes of the runtime, for an actor. */
    public Processes processes(Store store, Actor actor) {
        return new Processes(kept, ends, store, actor);
    }

    /** The processes that a call may handle in the name of its session. */
    public ProcessesCapability of(SessionId session, CallProcesses.Starter starter, ToolContext call) {
        return new CallProcesses(kept, ends, session, starter, call);
    }
}
