/**
 * Runs plugins: builds those of a session, keeps their states in a turn, asks their hooks and makes the prompt of their contributions.
 *
 * <p>Start with {@link dev.belay.runtime.plugin.engine.AgentPlugins}, which gives a {@link dev.belay.runtime.plugin.engine.SessionPlugins}
 * for each session. Not here: where in a turn each of them is asked ({@code dev.belay.runtime.session.turn}).
 */
@NullMarked
package dev.belay.runtime.plugin.engine;

import org.jspecify.annotations.NullMarked;
