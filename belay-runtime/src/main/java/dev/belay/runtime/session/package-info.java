/**
 * Conversations that survive the process: a session has turns, a turn has rounds, a round is one question to a model and the
 * calls that came of it.
 *
 * <p>{@link dev.belay.runtime.session.Session} is what a program sees; {@link dev.belay.runtime.session.OpenTurn} is a turn whose loop a
 * program owns; {@link dev.belay.runtime.session.SessionToolContext} is what a body sees. These types are doors and values: nothing runs here.
 *
 * <p>Behind the doors: {@code .inbox} accepts and commits, {@code .turn} runs the loop, {@code .asking} chooses the model, {@code .hosted} serves
 * loops of programs, {@code .body} serves bodies, {@code .archive} copies and abandons, {@code .stream} tells events. Calls go through
 * {@code dev.belay.runtime.dispatch}, records through {@code dev.belay.runtime.effect}, and commits through {@code dev.belay.runtime.store}.
 */
@NullMarked
package dev.belay.runtime.session;

import org.jspecify.annotations.NullMarked;
