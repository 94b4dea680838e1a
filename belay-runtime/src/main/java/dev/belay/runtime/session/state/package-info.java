/**
 * A turn so far, made again from records on every entry into it.
 *
 * <p>Read {@code TurnState} first: messages, inputs and calls. {@code RoundRecord} is what a round leaves, {@code TurnTools} which tools the
 * turn offers, {@code TurnPlugins} what its plugins keep and say, {@code TurnOutputs} what the model is told of outputs,
 * {@code TurnCommands} what arrivals ask for beside the conversation, {@code TurnSpending} the bill.
 *
 * <p>Not here: the loop and the commit ({@code session.turn}), what plugins are ({@code plugin.engine}).
 */
@NullMarked
package dev.belay.runtime.session.state;

import org.jspecify.annotations.NullMarked;
