package dev.belay.runtime.process.engine;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessWork;
import dev.belay.runtime.process.Recovery;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.CompletionKey;
import java.util.List;

/**
 * One entry into a process: does its work, or as much as is not recorded, and says how it ended. May throw
 * {@link dev.belay.tool.context.Suspended}. Confined to the thread of the scope.
 */
public final class ProcessEntry {

    /** The wait of external work for its outcome. */
    public static final WaitName OUTCOME = new WaitName("outcome");

    private static final WaitName TURN = new WaitName("turn");

    private final ProcessEngine engine;
    private final EffectScope scope;
    private final ProcessEngine.Beginning beginning;

    ProcessEntry(ProcessEngine engine, EffectScope scope, ProcessEngine.Beginning beginning) {
        this.engine = engine;
        this.scope = scope;
        this.beginning = beginning;
    }

    ProcessEnd run() {
        return switch (beginning.start().work()) {
            case ProcessWork.Tool(String name, Json arguments) -> tool(name, arguments.text());
            case ProcessWork.Body(String name, Json input) -> body(name, input);
            case ProcessWork.Turn turn -> turn(turn);
            case ProcessWork.Unreadable(String problem) -> throw new IllegalStateException(problem);
            case ProcessWork.External external -> settled(
                    scope.await(scope.completionKey(OUTCOME), Deadline.NONE));
        };
    }

    private ProcessEnd tool(String name, String arguments) {
        ToolProvider provider = engine.registry().catalog().provider();
        var told = new ToldEvents(engine, beginning.id(), ClaimedScope.of(scope).write(claim -> claim));
        return call(engine.tools(), isOnce() ? new RunOnce(provider, name) : provider, new CallOwner() {
            @Override
            public ToolContext around(ToolContext context, CallReference call, Left left) {
                return engine.sessions().around(context, new AttemptEvents(told, context));
            }

            @Override
            public void tell(EffectScope in, String key, String type, Json payload) {
                told.tell(in, key, type, payload);
            }
        }, new CallRequest(name, arguments));
    }

    private ProcessEnd body(String name, Json input) {
        var told = new ToldEvents(engine, beginning.id(), ClaimedScope.of(scope).write(claim -> claim));
        var work = new BodyTool(name, beginning.start().recovery(), (context, cancellation) -> {
            Json value = engine.body(name)
                    .run(new BodyContext(beginning.id(), isOnce(), context, told), input);
            cancellation.check(); // a body that ends because somebody wanted it to is cancelled, whatever it returns
            return value == null ? Json.NULL : ProcessJson.recordable(value);
        });
        return call(engine.bodies(), work, told, new CallRequest(name, "{}"));
    }

    private boolean isOnce() {
        return beginning.start().recovery() == Recovery.NEVER;
    }

    private ProcessEnd call(ToolDispatcher shared, ToolProvider provider, CallOwner owner,
            CallRequest request) {
        ToolDispatcher dispatcher = shared.offering(provider, manifest -> true).ownedBy(owner);
        engine.runs(scope.id(), dispatcher);
        return end(dispatcher.dispatch(scope,
                new ToolBatch(beginning.incarnation(), 0, 0, List.of(request))).getFirst());
    }

    private ProcessEnd end(ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Success(Json value) -> completed(value);
            case ToolOutcome.Failure(ToolFailure failure) when isCancelled(failure) ->
                new ProcessEnd.Cancelled(failure.message());
            case ToolOutcome.Failure(ToolFailure failure) when isOnce()
                    && failure.code().equals("in_doubt") ->
                new ProcessEnd.Abandoned(failure.message());
            case ToolOutcome.Failure(ToolFailure failure) -> new ProcessEnd.Failed(failure);
            case ToolOutcome.Cancelled(String reason) -> new ProcessEnd.Cancelled(reason);
            case ToolOutcome.Rejected(String reason) -> new ProcessEnd.Failed(ToolFailure.ofRuntime(
                    ToolFailure.Kind.PERMISSION_DENIED, outcome.code().orElseThrow(), reason));
        };
    }

    /** Whether work that must not be repeated was ended because somebody wanted the process to end; its words say what may have happened. */
    private boolean isCancelled(ToolFailure failure) {
        return failure.code().equals("tool_cancelled") && scope.cancellation().isRequested();
    }

    /** A value that no record of the process could hold around is a failure, and not a reason to try again. */
    private static ProcessEnd completed(Json value) {
        try {
            return new ProcessEnd.Completed(ProcessJson.recordable(value));
        } catch (ToolException tooLarge) {
            return new ProcessEnd.Failed(tooLarge.failure());
        }
    }

    private ProcessEnd turn(ProcessWork.Turn turn) {
        String input = "process/" + beginning.id();
        CompletionKey key = scope.completionKey(TURN);
        boolean submitted = scope.peek(SubmitEffect.KEY).isPresent();
        String cancelled = scope.cancellation().reason().orElse(null);
        Resolution resolution;
        if (cancelled != null && !submitted) {
            resolution = new Resolution.Cancelled(cancelled);
        } else {
            try {
                scope.run(new SubmitEffect(turn,
                        () -> engine.sessions().submit(turn.session(), input, turn.text(), key.token())));
            } catch (ToolException refused) {
                return new ProcessEnd.Failed(refused.failure());
            }
            resolution = scope.await(key, Deadline.NONE);
        }
        if (resolution instanceof Resolution.Cancelled(String reason)) {
            engine.sessions().cancel(turn.session(), input, reason);
        }
        return resolution instanceof Resolution.Ok(Json result)
                ? engine.sessions().end(turn.session(), input, result)
                : settled(resolution);
    }

    private static ProcessEnd settled(Resolution resolution) {
        return switch (resolution) {
            case Resolution.Ok(Json value) -> new ProcessEnd.Completed(value);
            case Resolution.Failed(ToolFailure failure) -> new ProcessEnd.Failed(failure);
            case Resolution.Cancelled(String reason) -> new ProcessEnd.Cancelled(reason);
            case Resolution.TimedOut timedOut -> throw new IllegalStateException("there is no deadline");
        };
    }

    /** What a fault of the runtime says to a body, unless it is one of the store. */
    static ToolException refused(BelayException fault) {
        if (fault instanceof JournalException) {
            throw fault;
        }
        return fault instanceof ToolException described
                ? described
                : new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, fault.code(),
                        String.valueOf(fault.getMessage())), fault);
    }
}
