/**
 * Which tools there are, and which of them a model is shown: live sources, membership, and the snapshot that survives a restart.
 *
 * <p>Start with {@link dev.belay.runtime.catalog.ToolRegistry}: providers are added to it as sources, and a
 * {@link dev.belay.runtime.catalog.ToolCatalog} is what it shows at one moment. {@link dev.belay.runtime.catalog.ToolState} is
 * what is kept of it. Inside: {@code Source} (one provider as it was last read) → {@code Claims} (which tools are let in) →
 * {@code LiveTools} → {@code Decisions} (what was decided about each id) → {@code RegistryState} (all of it at one moment) →
 * {@code Surface} (what a model sees).
 *
 * <p>Not here: who runs the calls ({@code dev.belay.runtime.dispatch}), and when a change reaches a model request.
 */
@NullMarked
package dev.belay.runtime.catalog;

import org.jspecify.annotations.NullMarked;
