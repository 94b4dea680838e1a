package dev.belay.runtime.process.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs work that is one call in the scope of its process: a tool or a body. May throw
 * {@link dev.belay.tool.context.Suspended}.
 *
 * <p><b>Concurrency.</b> Thread-safe. The thread of a process dispatches its call. A call that is given as data finds its
 * dispatcher by the scope.
 */
final class CalledWork {

    private final KeptProcesses kept;
    private final Map<String, AgentTools> tools;
    private final SessionWork sessions;
    /** Dispatchers of calls that are under way, by the scope of their process. */
    private final Map<ScopeId, ToolDispatcher> live = new ConcurrentHashMap<>();

    /**
     * Takes what calls need.
     *
     * @param tools of each agent
     * @param sessions makes the context of such a call
     */
    CalledWork(KeptProcesses kept, Map<String, AgentTools> tools, SessionWork sessions) {
        this.kept = kept;
        this.tools = tools;
        this.sessions = sessions;
    }

    ProcessEnd tool(EffectScope scope, Beginning beginning, ProcessWork.Tool work) {
        AgentTools own = Objects.requireNonNull(tools.get(beginning.agent()), "an agent of this runtime");
        ToolProvider all = own.registry().catalog().provider();
        ToolProvider provider = beginning.isOnce() ? new RunOnce(all, work.name()) : all;
        ToldEvents told = told(scope, beginning);
        StartedBy by = beginning.by();
        Gating gating = StartedBy.gating(by, sessions);
        ToolDispatcher offering = own.dispatcher()
                .offering(provider, tool -> by == null || !tool.name().equals(work.name())
                        || sessions.allows(by, tool.name()), List.of());
        return dispatch(scope, beginning, offering.ownedBy(new CallOwner() {
            @Override
            public Gating gating() {
                return gating;
            }

            @Override
            public ToolContext around(ToolContext context, CallReference call, Left left) {
                return sessions.around(context, new AttemptEvents(told, context));
            }

            @Override
            public Lineage lineage() {
                return told.lineage();
            }

            @Override
            public void tell(EffectScope in, String key, String type, Json payload) {
                told.tell(in, key, type, payload);
            }
        }),
                new CallRequest(work.name(), work.arguments().text()));
    }

    ProcessEnd body(EffectScope scope, Beginning beginning, ProcessWork.Body work) {
        ToldEvents told = told(scope, beginning);
        var provider = new BodyTool(work.name(), beginning.recovery(), (context, cancellation) -> {
            var within = new BodyContext(beginning.id(), beginning.isOnce(), context, told);
            Json value = kept.settings().body(work.name()).run(within, work.input());
            cancellation.check(); // a cancelled body ends as cancelled, whatever it returns
            return value == null ? Json.NULL : ProcessJson.recordable(value);
        });
        return dispatch(scope, beginning,
                kept.settings().dispatcher().offering(provider).ownedBy(told),
                new CallRequest(work.name(), BodyTool.arguments(beginning, work.input()).text()));
    }

    private ToldEvents told(EffectScope scope, Beginning beginning) {
        return new ToldEvents(kept, beginning, ClaimedScope.of(scope).write(claim -> claim));
    }

    private ProcessEnd dispatch(EffectScope scope, Beginning beginning, ToolDispatcher dispatcher,
            CallRequest request) {
        live.put(scope.id(), dispatcher);
        try {
            var batch = new ToolBatch(beginning.incarnation(), 0, 0, List.of(request));
            return end(dispatcher.dispatch(scope, batch).getFirst(), beginning.isOnce(),
                    scope.cancellation().isRequested());
        } finally {
            live.remove(scope.id());
        }
    }

    /** Runs the call of a process that is under way here, given as data. */
    ToolOutcome call(EffectScope scope, ScopeInput input) {
        ToolDispatcher dispatcher = live.get(scope.id());
        if (dispatcher == null) {
            throw new IllegalStateException("the process of call " + scope.id() + " does not run here");
        }
        return dispatcher.call(scope, input);
    }

    /**
     * The end that an outcome means.
     *
     * @param once whether the work must not be repeated: then its message says what may have happened
     * @param cancelled whether the process was asked to end
     */
    private static ProcessEnd end(ToolOutcome outcome, boolean once, boolean cancelled) {
        return switch (outcome) {
            case ToolOutcome.Success(Json value) -> completed(value);
            case ToolOutcome.Failure(ToolFailure failure) when cancelled
                    && failure.code().equals("tool_cancelled") ->
                new ProcessEnd.Cancelled(failure.message());
            case ToolOutcome.Failure(ToolFailure failure) when once
                    && failure.code().equals("in_doubt") ->
                new ProcessEnd.Abandoned(failure.message());
            case ToolOutcome.Failure(ToolFailure failure) -> new ProcessEnd.Failed(failure);
            case ToolOutcome.Cancelled(String reason) -> new ProcessEnd.Cancelled(reason);
            case ToolOutcome.Rejected(String reason) -> new ProcessEnd.Failed(ToolFailure.ofRuntime(
                    ToolFailure.Kind.PERMISSION_DENIED, outcome.code().orElseThrow(), reason));
        };
    }

    /** A value that does not fit into the record of the end is a failure: another attempt would return it again. */
    private static ProcessEnd completed(Json value) {
        try {
            return new ProcessEnd.Completed(ProcessJson.recordable(value));
        } catch (ToolException tooLarge) {
            return new ProcessEnd.Failed(tooLarge.failure());
        }
    }
}
