package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** The time of a host: an alarm whose action throws would be lost in silence, so it is the failure of the host. Thread-safe. */
record HostTime(TimeSource time, HostLife life) implements TimeSource {

    @Override
    public Instant now() {
        return time.now();
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public Alarm after(Duration delay, Runnable action) {
        return time.after(delay, life.vital(action));
    }

    @Override
    public Alarm at(Instant due, Runnable action) {
        return time.at(due, life.vital(action));
    }
}
