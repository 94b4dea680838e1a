/**
 * The door: {@link dev.belay.runtime.Belay} runs sessions and their turns with your model, your tools and your store.
 *
 * <p>{@code Assembly} wires the parts of a runtime together, and {@code ScopeKinds} gives each kind of scope to its runner. The next room is
 * {@code session}.
 */
@NullMarked
package dev.belay.runtime;

import org.jspecify.annotations.NullMarked;
