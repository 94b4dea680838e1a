package dev.belay.runtime.effect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A wait to be opened.
 *
 * @param name of the wait
 * @param kind what its settlement means for the scope
 * @param deadline when it times out, or null for never
 * @param announcement told to the user, or null
 */
public record OpenWait(WaitName name, Kind kind, @Nullable Instant deadline, @Nullable String announcement) {

    /** What a settlement means for a parked scope. */
    public enum Kind {
        /** The end of a call: the scope goes on when all of these are settled. */
        COMPLETION,
        /** An event inside a resumable body: the scope goes on at once. */
        EVENT
    }
}
