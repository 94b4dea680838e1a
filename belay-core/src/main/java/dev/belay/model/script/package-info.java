/**
 * A model without a network, for tests and examples: {@link dev.belay.model.script.ScriptedModel} answers with
 * {@link dev.belay.model.script.ScriptStep}s, in order or by rules.
 *
 * <p>Checks of other models and stores stand in the module {@code belay-testkit}.
 */
@NullMarked
package dev.belay.model.script;

import org.jspecify.annotations.NullMarked;
