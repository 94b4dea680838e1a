/**
 * One turn: the loop, rounds, asking a model, limits, spending, commit.
 */
@NullMarked
package dev.belay.runtime.session.turn;

import org.jspecify.annotations.NullMarked;

