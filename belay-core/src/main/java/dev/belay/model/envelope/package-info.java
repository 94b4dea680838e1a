/**
 * Tool calls for models that can only write text: {@link dev.belay.model.envelope.TextEnvelopeModel} tells the model to answer
 * with one JSON object and reads it as a call or an answer; {@link dev.belay.model.envelope.ToolCallProbe} finds out whether a
 * model needs that.
 *
 * <p>The inner model is any {@code dev.belay.model.Model}. Wire protocols stand in modules of their own.
 */
@NullMarked
package dev.belay.model.envelope;

import org.jspecify.annotations.NullMarked;
