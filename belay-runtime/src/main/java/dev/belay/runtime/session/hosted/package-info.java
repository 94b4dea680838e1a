/**
 * Turns whose loop a program owns.
 *
 * <p>{@code HostedLoops} begins them and gives them to registered loops; {@code HostedTurn} serves one loop through the same records as
 * the runtime's; {@code HostedCalls} runs its calls; {@code TurnHandoff} hands work from the loop's thread to the scope's thread.
 *
 * <p>The door is {@code OpenTurn}. Rounds and commits are in {@code session.turn}; how a turn is abandoned is in {@code session.archive}.
 */
@NullMarked
package dev.belay.runtime.session.hosted;

import org.jspecify.annotations.NullMarked;
