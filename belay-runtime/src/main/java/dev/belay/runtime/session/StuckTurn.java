package dev.belay.runtime.session;

import dev.belay.runtime.store.SessionId;
import java.time.Instant;

/**
 * A turn that cannot go on by itself. Its session waits until an operator retries or abandons it.
 *
 * @param session whose
 * @param turn its number
 * @param because why
 * @param since when
 */
public record StuckTurn(SessionId session, long turn, String because, Instant since) {}
