package dev.belay.runtime.operate;

import dev.belay.runtime.store.SessionId;
import java.time.Instant;

/**
 * A turn that this runtime cannot enter as it is configured. It waits, uncounted, for a program that can.
 *
 * @param session whose turn
 * @param turn its number
 * @param code of the fault, as in {@code docs/errors.md}
 * @param reason what is wrong, in words
 * @param since when it was first tried here
 */
public record MisconfiguredTurn(SessionId session, long turn, String code, String reason, Instant since) {}
