package dev.belay.runtime.session;

import dev.belay.runtime.store.SessionId;

/**
 * A turn that cannot go on by itself. Somebody must retry or abandon it; until then its session waits.
 *
 * @param session whose
 * @param turn its number
 * @param because why
 */
public record StuckTurn(SessionId session, long turn, String because) {}
