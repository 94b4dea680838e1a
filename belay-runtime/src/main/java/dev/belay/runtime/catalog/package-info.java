/**
 * The tools of a runtime and the catalog that a model is shown: live sources, membership, and the snapshot that survives a restart.
 *
 * <p>Start with {@link dev.belay.runtime.catalog.ToolRegistry}: providers are added to it as sources. A
 * {@link dev.belay.runtime.catalog.ToolCatalog} shows its members at one moment, and
 * {@link dev.belay.runtime.catalog.ToolState} is its stored form.
 *
 * <p>Not here: how a registry computes its state ({@code dev.belay.runtime.catalog.registry}, the next room), running calls
 * ({@code dev.belay.runtime.dispatch}), and the moment at which a change reaches a model request
 * ({@code dev.belay.runtime.session}).
 */
@NullMarked
package dev.belay.runtime.catalog;

import org.jspecify.annotations.NullMarked;
