package dev.belay.runtime.store;

import dev.belay.json.Json;

/**
 * A message of a session.
 *
 * @param place its place, from 0
 * @param turn the turn that added it
 * @param message what it says
 */
public record StoredMessage(long place, long turn, Json message) {}
