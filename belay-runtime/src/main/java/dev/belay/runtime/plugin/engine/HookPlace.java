package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.store.SessionId;

/**
 * Where plugins are asked.
 *
 * @param session which
 * @param agent that answers it
 * @param turn which, or the last one
 * @param inputs what was given along with the input, by the id of its binding
 */
public record HookPlace(SessionId session, String agent, long turn, Json inputs) {}
