/**
 * Events of sessions by cursor: a ring of the last events for each session, and {@code Hearing}, which tells them to a listener.
 *
 * <p>Events live in one process and are not recorded. The door is {@code SessionEvents}; turns tell events in {@code session.turn}.
 */
@NullMarked
package dev.belay.runtime.session.stream;

import org.jspecify.annotations.NullMarked;
