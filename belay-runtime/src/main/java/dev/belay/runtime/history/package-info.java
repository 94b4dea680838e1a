/**
 * What was decided about the history of sessions, and what models were sent: {@code session.history()} and {@code session.request(turn, round)}
 * give these. Data alone; it is written in {@code session.history}.
 */
@NullMarked
package dev.belay.runtime.history;

import org.jspecify.annotations.NullMarked;
