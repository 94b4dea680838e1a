/**
 * Plugins: what extends a runtime. A {@link dev.belay.runtime.plugin.PluginFactory} builds a
 * {@link dev.belay.runtime.plugin.SessionPlugin} for each session, which registers tools, states, prompt texts, hooks and actions with a
 * {@link dev.belay.runtime.plugin.PluginRegistrar}. A {@link dev.belay.runtime.plugin.PluginStack} says which plugins there are.
 *
 * <p>Not here: running them ({@code dev.belay.runtime.plugin.engine}, the next room) and sessions, which stand above. No type in
 * here leads to the runtime, a store or a host.
 */
@NullMarked
package dev.belay.runtime.plugin;

import org.jspecify.annotations.NullMarked;
