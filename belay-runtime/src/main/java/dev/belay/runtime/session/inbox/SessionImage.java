package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.history.HistoryView;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session in memory, as one of its turns has left it. Immutable; images share their past.
 *
 * @param incarnation of the session
 * @param revision the turn
 * @param instructions what stands before the messages, empty for nothing
 * @param skipped how many of the oldest messages are not here, because they are not sent any more
 * @param messages instructions and all other messages
 * @param state what turns have left beside messages
 * @param result of the turn, or null if it was not committed here
 * @param view what of the messages is sent, or null if that is not known
 */
public record SessionImage(Incarnation incarnation, long revision, String instructions, int skipped,
        MessageLog messages,
        Json state, TurnResult.@Nullable Ended result, @Nullable HistoryView view) {

    /** A session that was just made. */
    static SessionImage empty(Incarnation incarnation) {
        return new SessionImage(incarnation, 0, "", 0, MessageLog.empty(), Json.NULL, null, null);
    }

    /** The same with other instructions. */
    public SessionImage instructed(String other) {
        if (instructions.equals(other)) {
            return this;
        }
        List<Message> past = messages.subList(instructions.isEmpty() ? 0 : 1, messages.size());
        MessageLog log = other.isEmpty()
                ? MessageLog.empty()
                : MessageLog.empty().append(Message.system(other));
        return new SessionImage(incarnation, revision, other, skipped, log.append(past), state, result, null);
    }

    /** The session after its next turn. */
    public SessionImage after(MessageLog now, Json newState, TurnResult.@Nullable Ended newResult,
            @Nullable HistoryView newView) {
        return new SessionImage(incarnation, revision + 1, instructions, skipped, now,
                Objects.requireNonNull(newState, "state"), newResult, newView);
    }

    boolean is(Incarnation of, long at) {
        return revision == at && incarnation.equals(of);
    }
}
