/**
 * What is said to a model and what it says back, in no provider's dialect.
 *
 * <p>A {@link dev.belay.model.ModelRequest} holds {@link dev.belay.model.Message}s made of {@link dev.belay.model.Part}s and
 * refuses a history that a provider would refuse. A {@link dev.belay.model.Model} answers with a
 * {@link dev.belay.model.ModelResponse} and tells a {@link dev.belay.model.ModelListener} on the way; a
 * {@link dev.belay.model.ResponseReducer} turns the events back into the response. {@link dev.belay.model.script.ScriptedModel}
 * is a model that needs no network. A {@link dev.belay.model.MessageLog} is a conversation that grows and shares its past;
 * {@link dev.belay.model.MessageJson} is how messages are stored. Wire protocols and the running of tools are elsewhere.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model;
