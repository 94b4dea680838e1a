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
 */
public record Arrived(Arrival arrival, long place, @Nullable Long turn, Instant at) {}
