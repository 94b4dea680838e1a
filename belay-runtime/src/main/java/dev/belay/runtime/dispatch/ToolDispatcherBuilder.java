package dev.belay.runtime.dispatch;

import dev.belay.runtime.dispatch.body.BodyResources;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.body.Slots;
import dev.belay.runtime.dispatch.call.AnnouncedCalls;
import dev.belay.runtime.dispatch.call.Dispatch;
import dev.belay.runtime.dispatch.call.DispatchSettings;
import dev.belay.runtime.dispatch.call.Offered;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.output.OutputProjector.CallerView;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.option.Visibility;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The options of a {@link ToolDispatcher}; each has a default. Confined to one thread. */
public final class ToolDispatcherBuilder {

    private final ToolProvider tools;
    private final List<ContextCarrier> carriers = new ArrayList<>(List.of(ContextCarrier.mdc()));
    private Predicate<ToolManifest> offering = manifest -> manifest.visibility() == Visibility.MODEL;
    private CallHooks hooks = CallHooks.NONE;
    private Policy policy = Policy.NONE;
    private ApprovalMode approvals = ApprovalMode.REFUSE;
    private CallerView callerView = CallerView.WHOLE;
    private DispatchListener listener = DispatchListener.SILENT;
    private TimeSource time = TimeSource.system();
    private ThreadFactory threads = Thread.ofVirtual().name("belay-call-", 0).factory();
    private RandomGenerator random = new SecureRandom();
    private CallCaps caps = CallCaps.NONE;
    private HostValues hostValues = HostValues.NONE;
    private Duration timeout = ToolDispatcher.DEFAULT_TIMEOUT;

    ToolDispatcherBuilder(ToolProvider tools) {
        this.tools = tools;
    }

    /** Which tools may be called; all that are not internal unless this says otherwise. */
    public ToolDispatcherBuilder offering(Predicate<ToolManifest> which) {
        offering = which;
        return this;
    }

    /** Looks at calls and outcomes; none by default. */
    public ToolDispatcherBuilder hooks(CallHooks newHooks) {
        hooks = newHooks;
        return this;
    }

    /** Decides last before a body runs; {@link Policy#NONE} by default. */
    public ToolDispatcherBuilder policy(Policy newPolicy) {
        policy = newPolicy;
        return this;
    }

    /** What happens to calls about which a person is to be asked; refused by default. */
    public ToolDispatcherBuilder approvals(ApprovalMode mode) {
        approvals = mode;
        return this;
    }

    /** Makes what the caller sees of an outcome; all of it by default. */
    public ToolDispatcherBuilder callerView(CallerView view) {
        callerView = view;
        return this;
    }

    /** Hears of calls; none by default. */
    public ToolDispatcherBuilder listener(DispatchListener newListener) {
        listener = newListener;
        return this;
    }

    /** The clock; the machine's by default. Give the host the same one. */
    public ToolDispatcherBuilder time(TimeSource newTime) {
        time = newTime;
        return this;
    }

    /** Makes the threads of bodies and of the listener; virtual ones by default. */
    public ToolDispatcherBuilder threads(ThreadFactory factory) {
        threads = factory;
        return this;
    }

    /** Where chance comes from (delays, random steps, incarnations); must be thread-safe. A secure source by default. */
    public ToolDispatcherBuilder random(RandomGenerator newRandom) {
        random = newRandom;
        return this;
    }

    /** How many bodies may run at once; any number by default. */
    public ToolDispatcherBuilder caps(CallCaps newCaps) {
        caps = newCaps;
        return this;
    }

    /** Adds a carrier of the caller's context, beside the one for logging; it replaces a carrier of its name. */
    public ToolDispatcherBuilder carrier(ContextCarrier carrier) {
        carriers.add(carrier);
        return this;
    }

    /** What parameters marked {@code @FromHost} are given; nothing by default. */
    public ToolDispatcherBuilder hostValues(HostValues values) {
        hostValues = values;
        return this;
    }

    /** How long all attempts of a call may take together if its tool does not say; 10 minutes by default. */
    public ToolDispatcherBuilder timeout(Duration total) {
        if (total.isZero() || total.isNegative()) {
            throw new IllegalArgumentException("the timeout must be positive, found " + total);
        }
        timeout = total;
        return this;
    }

    /** The finished dispatcher. */
    public ToolDispatcher build() {
        var bodies = new BodyResources(time, threads, random, new Slots(caps),
                new Carriers(List.copyOf(carriers)), hostValues);
        DispatchListener hears = listener;
        return new ToolDispatcher(new Dispatch(
                new DispatchSettings(hooks,
                        Gate.of(SessionProfile.DEFAULT_AGENT, policy, approvals, Gate.EXPIRY), callerView,
                        timeout, new AnnouncedCalls(), bodies),
                new Offered(tools, offering, List.of()), new CallOwner() {
                    @Override
                    public DispatchListener listener() {
                        return hears;
                    }
                }));
    }
}
