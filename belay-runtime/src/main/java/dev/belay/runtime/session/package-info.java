/**
 * Conversations that survive the process: a session has turns, a turn has rounds, a round is one question to a model and the
 * calls that came of it.
 *
 * <p>{@link dev.belay.runtime.session.Session} is what a program sees. {@code TurnLoop} is the loop; {@code RoundEffect} asks
 * the model and records everything that a round decided. Calls go through {@code dev.belay.runtime.dispatch}, records through
 * {@code dev.belay.runtime.effect}, and what a turn leaves behind through {@code dev.belay.runtime.store}.
 */
@NullMarked
package dev.belay.runtime.session;

import org.jspecify.annotations.NullMarked;

