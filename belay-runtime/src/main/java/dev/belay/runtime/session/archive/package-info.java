/**
 * Sessions and turns as a whole, without running them: export, import, fork, delete; turns that are stuck or abandoned.
 *
 * <p>{@code WholeSessions} copies and deletes sessions; {@code StuckTurns} is for operators; {@code AbandonedTurn} makes a committed turn of
 * the records of one that cannot go on. The records themselves are read in {@code session.turn}.
 */
@NullMarked
package dev.belay.runtime.session.archive;

import org.jspecify.annotations.NullMarked;
