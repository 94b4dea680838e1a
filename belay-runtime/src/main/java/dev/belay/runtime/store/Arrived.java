package dev.belay.runtime.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An arrival as it is kept.
 *
 * @param arrival what arrived
 * @param place its place among the arrivals of its session, from 1
 * @param turn the turn that was started for it or has taken it, or null while it waits. A turn that takes others in its course
 *        says so when it commits
 * @param at when
 * @param askedBack the turn during which it was asked back, or null. That turn may have shown it to a model before and then takes it;
 *        otherwise it is gone when that turn is committed
 */
public record Arrived(Arrival arrival, long place, @Nullable Long turn, Instant at,
        @Nullable Long askedBack) {

    /** One that was not asked back. */
    public Arrived(Arrival arrival, long place, @Nullable Long turn, Instant at) {
        this(arrival, place, turn, at, null);
    }
}
