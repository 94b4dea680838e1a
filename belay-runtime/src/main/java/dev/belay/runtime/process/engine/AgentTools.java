package dev.belay.runtime.process.engine;

import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.ToolDispatcher;

/**
 * The tools of an agent.
 *
 * @param registry all of them
 * @param dispatcher runs their calls
 */
public record AgentTools(ToolRegistry registry, ToolDispatcher dispatcher) {}
