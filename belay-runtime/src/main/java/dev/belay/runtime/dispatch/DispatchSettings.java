package dev.belay.runtime.dispatch;

import dev.belay.json.Json;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.HostValues;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** Everything that all calls of a dispatcher share. */
record DispatchSettings(ToolProvider provider, Offered offered, CallHooks hooks, CallGate gate,
        OutputProjection projection, DispatchListener listener, TimeSource time, ThreadFactory threads,
        RandomGenerator random, Slots slots, Carriers carriers, HostValues hostValues, Duration timeout,
        Told told, Aftermath.Ledger ledger, CallContexts contexts, Json inputs,
        EventSink events) {

    /** How long all attempts of a call may take together. */
    Duration total(ToolDefinition definition) {
        Duration own = definition.manifest().timeouts().total();
        return own == null ? timeout : own;
    }

    DispatchSettings offering(ToolProvider tools, Offered offering) {
        return new DispatchSettings(tools, offering, hooks, gate, projection, listener, time, threads, random,
                slots, carriers, hostValues, timeout, told, ledger, contexts, inputs, events);
    }

    DispatchSettings hearing(DispatchListener hearing, Aftermath.Ledger noting, CallContexts around,
            Json given) {
        return new DispatchSettings(provider, offered, hooks, gate, projection, hearing, time, threads,
                random,
                slots, carriers, hostValues, timeout, told, noting, around, given, events);
    }

    DispatchSettings telling(EventSink sink) {
        return new DispatchSettings(provider, offered, hooks, gate, projection, listener, time, threads,
                random, slots, carriers, hostValues, timeout, told, ledger, contexts, inputs, sink);
    }
}
