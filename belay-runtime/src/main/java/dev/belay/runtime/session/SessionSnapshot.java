package dev.belay.runtime.session;

import dev.belay.model.Message;
import dev.belay.runtime.store.SessionId;
import java.util.List;

/**
 * A session at one moment.
 *
 * @param session which
 * @param revision its last committed turn
 * @param messages all messages until then; of the session of the call, also those of the running turn
 */
public record SessionSnapshot(SessionId session, long revision, List<Message> messages) {}
