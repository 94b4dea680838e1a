/**
 * How models are asked: the models of a runtime, and the settings of builder, session, turn and question merged into one
 * {@code ModelChoice}. {@code AskedModel} asks one, for the turns of {@code session.turn} and the bodies of {@code session.body}.
 * {@code Outage} decides when a model that failed is asked again, {@code FailedTry} is the record of that, and {@code AnswerForm} checks
 * and corrects answers of a form.
 */
@NullMarked
package dev.belay.runtime.session.asking;

import org.jspecify.annotations.NullMarked;
