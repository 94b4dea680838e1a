package dev.belay.runtime.session;

import dev.belay.model.Message;
import dev.belay.runtime.store.SessionId;
import java.util.List;

/**
 * A session at one moment.
 *
 * @param session which
 * @param revision its last committed turn
 * @param messages all committed messages until then
 */
public record SessionSnapshot(SessionId session, long revision, List<Message> messages) {}
