package dev.belay.runtime.dispatch;

import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.call.BatchSchedule;
import dev.belay.runtime.dispatch.call.CallChild;
import dev.belay.runtime.dispatch.call.Dispatch;
import dev.belay.runtime.dispatch.call.Offered;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.output.OutputProjector.CallerView;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Runs batches of tool calls inside scopes: recorded calls are answered, the others are run. Thread-safe.
 *
 * <p>The owner of a scope calls {@link #dispatch} with a batch; each call becomes a child of that scope. {@link DurableCalls}
 * owns scopes that hold one batch each.
 */
public final class ToolDispatcher {

    /** How long a call may take whose tool does not say: long enough for work, short enough to notice. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    private static final Carriers.Captured NO_CONTEXT = () -> () -> {};

    private final Dispatch dispatch;

    ToolDispatcher(Dispatch dispatch) {
        this.dispatch = dispatch;
    }

    /** Starts a dispatcher for the tools of a provider. */
    public static ToolDispatcherBuilder builder(ToolProvider tools) {
        return new ToolDispatcherBuilder(tools);
    }

    /**
     * The same for other tools; everything else is shared.
     *
     * @param tools all that may be named
     * @param offered which of them may be called
     * @param missing names of tools whose source is not there: a call of such a tool is {@code tool_unavailable}
     */
    public ToolDispatcher offering(ToolProvider tools, Predicate<ToolManifest> offered,
            List<String> missing) {
        return new ToolDispatcher(
                new Dispatch(dispatch.settings(), new Offered(tools, offered, missing), dispatch.owner()));
    }

    /** The same for other tools, all of which may be called; everything else is shared. */
    public ToolDispatcher offering(ToolProvider tools) {
        return offering(tools, manifest -> true, List.of());
    }

    /** The same for the calls of an owner, whose listener replaces the one of the builder; everything else is shared. */
    public ToolDispatcher ownedBy(CallOwner owner) {
        return new ToolDispatcher(new Dispatch(dispatch.settings(), dispatch.tools(), owner));
    }

    /** The same with another view of outcomes for its callers; everything else is shared. */
    public ToolDispatcher showing(CallerView view) {
        return new ToolDispatcher(
                new Dispatch(dispatch.settings().showing(view), dispatch.tools(), dispatch.owner()));
    }

    /** For the runtime: the same for the calls of an agent; its type is not exported. */
    public ToolDispatcher gatedBy(Gate gate) {
        return new ToolDispatcher(
                new Dispatch(dispatch.settings().gatedBy(gate), dispatch.tools(), dispatch.owner()));
    }

    /** For the runtime: decides about the calls. */
    public Gate gate() {
        return dispatch.settings().gate();
    }

    /**
     * Runs a batch. May throw {@link dev.belay.tool.context.Suspended}, and is then called again with the same batch.
     *
     * @param scope that owns it; its children are named {@code call/<index>}, in a turn {@code round/<n>/call/<index>}
     * @param batch the same on every entry
     * @return one outcome for each call, in the model's order
     */
    public List<ToolOutcome> dispatch(EffectScope scope, ToolBatch batch) {
        List<ToolOutcome> outcomes = new BatchSchedule(dispatch, scope, batch).run();
        forgetEvents(scope.id());
        return outcomes;
    }

    /**
     * One call of a batch, for {@link EffectScope#child} and {@link EffectScope#children}. It runs with the context of the current
     * thread.
     */
    public ChildCommand command(IdempotencyKey.Place place, CallId id, String name, String arguments) {
        return new CallChild(dispatch, new PlacedCall(place, id, name, arguments), carriers().here())
                .command();
    }

    /** Forgets which events of a scope's calls were told, because its calls that were run one by one have ended. */
    public void forgetEvents(ScopeId scope) {
        dispatch.settings().told().forget(scope);
    }

    /**
     * Runs one call from its encoded input, for {@link dev.belay.runtime.effect.ScopeRunner#child}.
     *
     * @param input of the child; {@code journal_corrupt} if it is no call
     */
    public ToolOutcome call(EffectScope child, ScopeInput input) {
        return new CallChild(dispatch, PlacedCall.of(input), NO_CONTEXT).run(child);
    }

    /** The values that bodies are supplied with. */
    public HostValues hostValues() {
        return dispatch.settings().bodies().hostValues();
    }

    /** For the runtime: carries the context of callers; its type is not exported. */
    public Carriers carriers() {
        return dispatch.settings().bodies().carriers();
    }

    /** Says which scopes their host stops: their calls get no place under the caps, and those that wait look again. */
    public void stopWaiting(Predicate<ScopeId> stops) {
        dispatch.settings().bodies().slots().stop(stops);
    }

    DispatchListener listener() {
        return dispatch.owner().listener();
    }

    RandomGenerator random() {
        return dispatch.settings().bodies().random();
    }
}
