package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallGate;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.DispatchListener;
import dev.belay.runtime.dispatch.OutputProjection;
import dev.belay.runtime.dispatch.body.CallContexts;
import dev.belay.runtime.dispatch.body.Carriers;
import dev.belay.runtime.dispatch.body.EventSink;
import dev.belay.runtime.dispatch.body.Slots;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.HostValues;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Everything that all calls of a dispatcher share. */
public record DispatchSettings(ToolProvider provider, Offered offered, CallHooks hooks, CallGate gate,
        OutputProjection projection, DispatchListener listener, TimeSource time, ThreadFactory threads,
        RandomGenerator random, Slots slots, Carriers carriers, HostValues hostValues, Duration timeout,
        AnnouncedCalls told, Aftermath.Ledger ledger, CallContexts contexts, Json inputs,
        EventSink events) {

    /** The tool of a single call whose arguments may have been read before it is dispatched. */
    public interface DecodedTool extends ToolProvider {

        /** The arguments of the call, or null if they are still to be read. */
        Arguments.@Nullable Valid decoded();
    }

    /** How long all attempts of a call may take together. */
    public Duration total(ToolDefinition definition) {
        Duration own = definition.manifest().timeouts().total();
        return own == null ? timeout : own;
    }

    public DispatchSettings offering(ToolProvider tools, Offered offering) {
        return new DispatchSettings(tools, offering, hooks, gate, projection, listener, time, threads, random,
                slots, carriers, hostValues, timeout, told, ledger, contexts, inputs, events);
    }

    public DispatchSettings hearing(DispatchListener hearing, Aftermath.Ledger noting, CallContexts around,
            Json given) {
        return new DispatchSettings(provider, offered, hooks, gate, projection, hearing, time, threads,
                random,
                slots, carriers, hostValues, timeout, told, noting, around, given, events);
    }

    public DispatchSettings telling(EventSink sink) {
        return new DispatchSettings(provider, offered, hooks, gate, projection, listener, time, threads,
                random, slots, carriers, hostValues, timeout, told, ledger, contexts, inputs, sink);
    }
}
