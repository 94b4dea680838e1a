/**
 * The state of a registry of tools, as a chain of immutable values: {@link dev.belay.runtime.catalog.registry.Source} (one provider
 * as it was last read) → {@code Claims} (which tools are let in) → {@link dev.belay.runtime.catalog.registry.LiveTools} →
 * {@code Decisions} (the membership of each id) → {@link dev.belay.runtime.catalog.registry.RegistryState} (the whole registry at one
 * moment) → {@link dev.belay.runtime.catalog.registry.Members} → {@link dev.belay.runtime.catalog.registry.Surface} (the text that a
 * model sees).
 *
 * <p>Not here: the reference that holds the current state and everything that users name. Both are in
 * {@link dev.belay.runtime.catalog}, the door of this room.
 */
@NullMarked
package dev.belay.runtime.catalog.registry;

import org.jspecify.annotations.NullMarked;
