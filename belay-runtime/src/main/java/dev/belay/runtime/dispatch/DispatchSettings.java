package dev.belay.runtime.dispatch;

import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.HostValues;
import dev.belay.tool.ToolProvider;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** Everything that all calls of a dispatcher share. */
record DispatchSettings(ToolProvider provider, Offered offered, CallHooks hooks, CallGate gate,
        OutputProjection projection, DispatchListener listener, TimeSource time, ThreadFactory threads,
        RandomGenerator random, Slots slots, Carriers carriers, HostValues hostValues, Duration timeout,
        Told told) {}
