package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.body.CallContexts;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.body.EventSink;
import dev.belay.runtime.dispatch.call.Aftermath;
import dev.belay.runtime.dispatch.call.BatchSchedule;
import dev.belay.runtime.dispatch.call.CallEvents;
import dev.belay.runtime.dispatch.call.CallPipeline;
import dev.belay.runtime.dispatch.call.DispatchSettings;
import dev.belay.runtime.dispatch.call.Offered;
import dev.belay.runtime.dispatch.call.OneCall;
import dev.belay.runtime.dispatch.call.PlacedCall;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Runs batches of tool calls inside scopes: what was recorded is answered, the rest is run. Thread-safe.
 *
 * <p>Two sides. Whoever owns a scope calls {@link #dispatch} with a batch; each call becomes a child of that scope, and the
 * {@link dev.belay.runtime.effect.ScopeRunner} of the host hands children to {@link #call}. {@link DurableCalls} is both.
 */
public final class ToolDispatcher {

    /** How long a call may take whose tool does not say: long enough for work, short enough to notice. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    private static final ContextCarrier.Captured NO_CONTEXT = () -> () -> {};

    private final DispatchSettings settings;
    /** What the thread of a batch knows, for the threads of its calls; only while the batch runs here. */
    private final Map<ScopeId, ContextCarrier.Captured> contexts = new ConcurrentHashMap<>();

    ToolDispatcher(DispatchSettings settings) {
        this.settings = settings;
    }

    /** Starts a dispatcher for the tools of a provider. */
    public static ToolDispatcherBuilder builder(ToolProvider tools) {
        return new ToolDispatcherBuilder(tools);
    }

    /**
     * The same for other tools: slots, hooks, time and everything else are shared.
     *
     * @param tools all that may be named
     * @param offered which of them may be called
     */
    public ToolDispatcher offering(ToolProvider tools, Predicate<ToolManifest> offered) {
        return new ToolDispatcher(settings.offering(tools, new Offered(tools, offered)));
    }

    /**
     * The same for the calls of one turn.
     *
     * @param listener who hears of calls
     * @param ledger who hears what calls leave behind
     * @param contexts what bodies are given
     * @param inputs what providers may read when they prepare, by the id of its {@link dev.belay.tool.context.PluginBinding}
     */
    public ToolDispatcher hearing(DispatchListener listener, Aftermath.Ledger ledger, CallContexts contexts,
            Json inputs) {
        return new ToolDispatcher(settings.hearing(listener, ledger, contexts, inputs));
    }

    /** The same for calls that run in a process, whose steps may tell events. */
    public ToolDispatcher telling(EventSink events) {
        return new ToolDispatcher(settings.telling(events));
    }

    /** Whether an input is that of a child that {@link #call} runs. */
    public static boolean isCall(ScopeInput input) {
        return input.kind().equals(PlacedCall.KIND);
    }

    /**
     * Runs a batch. May throw {@link dev.belay.tool.context.Suspended}, and is then called again with the same batch.
     *
     * @param scope who owns it; its children are named {@code call/<index>}, in a turn {@code round/<n>/call/<index>}
     * @param batch the same on every entry
     * @return one outcome for each call, in the model's order
     */
    public List<ToolOutcome> dispatch(EffectScope scope, ToolBatch batch) {
        contexts.put(scope.id(), settings.carriers().capture());
        try {
            List<ToolOutcome> outcomes = new BatchSchedule(settings, scope, batch).run();
            settings.told().forget(scope.id());
            return outcomes;
        } finally {
            contexts.remove(scope.id());
        }
    }

    /** Keeps what the current thread knows for the calls of a scope that are run one by one, without {@link #dispatch}. */
    public void carry(ScopeId scope) {
        contexts.put(scope, settings.carriers().capture());
    }

    /** All calls of a batch that were run one by one have ended. */
    public void ended(ScopeId scope) {
        settings.told().forget(scope);
    }

    /** One call of a batch as a child of its scope, for {@link EffectScope#child}. */
    public static ChildCommand command(IdempotencyKey.Place place, CallId id, String name, String arguments) {
        return new ChildCommand(
                new EffectKey(BatchSchedule.prefix(place.turn(), place.round()) + place.position()),
                new PlacedCall(place, id, name, arguments).input());
    }

    /**
     * Runs one call of a batch, as a child of the scope that dispatched it. May throw {@link dev.belay.tool.context.Suspended}.
     *
     * @param child the scope of the call
     * @param input what the child was given; {@code journal_corrupt} if it is no call
     */
    public ToolOutcome call(EffectScope child, ScopeInput input) {
        PlacedCall call = PlacedCall.of(input);
        var events = new CallEvents(settings.listener(), settings.threads(),
                CallReference.of(child.id(), call));
        return Carriers.within(contexts.getOrDefault(child.id(), NO_CONTEXT),
                () -> new CallPipeline(new OneCall(settings, child, call, events)).run());
    }

    /** The place of a child that {@link #call} runs. */
    public static IdempotencyKey.Place place(ScopeInput input) {
        return PlacedCall.of(input).place();
    }

    /** What bodies are supplied with. */
    public HostValues hostValues() {
        return settings.hostValues();
    }

    ContextCarrier carriers() {
        return settings.carriers();
    }

    RandomGenerator random() {
        return settings.random();
    }
}
