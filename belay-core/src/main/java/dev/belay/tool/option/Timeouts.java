package dev.belay.tool.option;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a call may take. Time spent parked, queued or waiting for a person does not count.
 *
 * @param total all attempts together, or null for the runtime's default
 * @param idle without progress, or null for none
 */
public record Timeouts(@Nullable Duration total, @Nullable Duration idle) {

    /** The runtime's default total, no idle limit. */
    public static final Timeouts DEFAULT = new Timeouts(null, null);

    /** Refuses durations that are not positive. */
    public Timeouts {
        check("total", total);
        check("idle", idle);
    }

    private static void check(String which, @Nullable Duration duration) {
        if (duration != null && (duration.isZero() || duration.isNegative())) {
            throw new IllegalArgumentException(which + " timeout must be positive, found " + duration);
        }
    }
}
