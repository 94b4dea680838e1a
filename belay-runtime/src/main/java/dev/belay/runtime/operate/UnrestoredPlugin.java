package dev.belay.runtime.operate;

import dev.belay.runtime.store.SessionId;
import java.time.Instant;

/**
 * A turn that waits for a program whose plugin can read what is kept for it.
 *
 * @param session whose turn
 * @param turn which
 * @param plugin that cannot be restored here
 * @param reason why, with the version that is kept and the one that this program knows
 * @param since when this program found out
 */
public record UnrestoredPlugin(SessionId session, long turn, String plugin, String reason, Instant since) {}
