/**
 * How models are asked: the models of a runtime, and the settings of builder, session, turn and question merged into one
 * {@code ModelChoice}. {@code AskedModel} asks one, for the turns of {@code session.turn} and the bodies of {@code session.body}.
 */
@NullMarked
package dev.belay.runtime.session.asking;

import org.jspecify.annotations.NullMarked;
