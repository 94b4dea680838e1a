/**
 * One turn: the loop, its rounds, asking a model, limits, spending, the commit.
 *
 * <p>Read {@code TurnLoop} first: it is the loop of the runtime. {@code SessionTurn} is what it shares with a program's loop,
 * {@code RoundEffect} one round, {@code ModelCall} the question, {@code RoundRecord} its record, {@code TurnState} the turn so far. {@code TurnServices} holds
 * what every turn uses. {@code TurnRecords} and {@code TurnCalls} read the records of a turn without running it.
 *
 * <p>Not here: how inputs are accepted ({@code session.inbox}), which model is asked ({@code session.asking}), how a call runs
 * ({@code dispatch}). Next rooms: {@code session.hosted} for loops that programs own, {@code session.body} for what bodies may do.
 */
@NullMarked
package dev.belay.runtime.session.turn;

import org.jspecify.annotations.NullMarked;
