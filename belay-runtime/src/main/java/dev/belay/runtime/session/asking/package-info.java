/**
 * How models are asked: the models of a runtime, and the settings of builder, session, turn and question merged into one
 * {@code ModelChoice}.
 *
 * <p>Nothing here asks a model; {@code session.turn} does, and {@code session.body} for bodies.
 */
@NullMarked
package dev.belay.runtime.session.asking;

import org.jspecify.annotations.NullMarked;
