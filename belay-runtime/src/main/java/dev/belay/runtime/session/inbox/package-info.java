/**
 * What arrives at sessions, and how sessions look between turns.
 *
 * <p>{@link dev.belay.runtime.session.inbox.Inbox} accepts arrivals and commits turns;
 * {@link dev.belay.runtime.session.inbox.AcceptedInput} waits for one input; {@code SessionCommands} gives and reads changes of tools and
 * settings. {@code TurnStart}, {@code TurnInput}, {@code SavedState} and {@code JoinedArrivals} are the records, and {@code SessionImages} caches
 * what turns have committed.
 *
 * <p>No turn, loop or door is known here. The next room is {@code session.turn}, which takes arrivals into rounds.
 */
@NullMarked
package dev.belay.runtime.session.inbox;

import org.jspecify.annotations.NullMarked;
