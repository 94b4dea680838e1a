package dev.belay.runtime.store;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.tool.context.Incarnation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session that begins with a past: a fork, an import, a child.
 *
 * @param id which
 * @param incarnation drawn for it
 * @param origin where it comes from
 * @param turns committed ones, from 1 on without a gap; each with an end. Their inputs are not arrivals of this session
 * @param messages of those turns, from 0 on without a gap; those of turn 0 were there before the first one
 * @param state after the last one
 * @param profile its agent, and the sessions above it
 * @param keepsOf the session, by its incarnation, of which it keeps all that this keeps; null for none
 * @param kept what it keeps from the start
 */
public record NewSession(SessionId id, Incarnation incarnation, Json origin, List<TurnRow> turns,
        List<StoredMessage> messages, Json state, SessionProfile profile,
        @Nullable Incarnation keepsOf, List<KeptBytes> kept) {

    /** Copies the lists and checks that nothing is missing in them. */
    public NewSession {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(incarnation, "incarnation");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(profile, "profile");
        turns = List.copyOf(turns);
        messages = List.copyOf(messages);
        kept = List.copyOf(kept);
        checkMessages(messages, turns.size());
        checkTurns(id, turns, messages);
    }

    /** One that keeps nothing of its own from the start. */
    public NewSession(SessionId id, Incarnation incarnation, Json origin, List<TurnRow> turns,
            List<StoredMessage> messages, Json state, SessionProfile profile, @Nullable Incarnation keepsOf) {
        this(id, incarnation, origin, turns, messages, state, profile, keepsOf, List.of());
    }

    /** One of the default agent that keeps nothing of another session. */
    public NewSession(SessionId id, Incarnation incarnation, Json origin, List<TurnRow> turns,
            List<StoredMessage> messages, Json state) {
        this(id, incarnation, origin, turns, messages, state, SessionProfile.PLAIN, null);
    }

    /** The same as one that keeps what another session keeps. */
    public NewSession keepingOf(Incarnation other) {
        return new NewSession(id, incarnation, origin, turns, messages, state, profile, other, kept);
    }

    /** The same as one that keeps bytes from the start. */
    public NewSession keeping(List<KeptBytes> bytes) {
        return new NewSession(id, incarnation, origin, turns, messages, state, profile, keepsOf, bytes);
    }

    /** The same for another agent. */
    public NewSession of(String otherAgent) {
        return with(profile.withAgent(otherAgent));
    }

    /** The same below other sessions, the topmost first. */
    public NewSession below(List<String> sessions) {
        return with(profile.below(sessions));
    }

    private NewSession with(SessionProfile other) {
        return new NewSession(id, incarnation, origin, turns, messages, state, other, keepsOf, kept);
    }

    /** What a store throws if the session is gone of which it is to keep something. */
    public BelayException orphaned() {
        return new BelayException("unknown_session",
                "the session of which " + id + " is to keep what it keeps was deleted; nothing was made");
    }

    private static void checkMessages(List<StoredMessage> messages, int turns) {
        long turn = 0;
        for (int i = 0; i < messages.size(); i++) {
            StoredMessage message = messages.get(i);
            require(message.place() == i, "messages have places from 0 on without a gap", "at " + i,
                    message.place());
            require(message.turn() >= turn && message.turn() <= turns,
                    "messages follow the order of their turns, of which there are " + turns, "at " + i,
                    message.turn());
            turn = message.turn();
        }
    }

    private static void checkTurns(SessionId id, List<TurnRow> turns, List<StoredMessage> messages) {
        int next = 0;
        while (next < messages.size() && messages.get(next).turn() == 0) {
            next++;
        }
        for (int i = 0; i < turns.size(); i++) {
            TurnRow turn = turns.get(i);
            require(turn.turn() == i + 1, "turns are numbered from 1 on without a gap", "at " + i,
                    turn.turn());
            String which = "turn " + turn.turn();
            require(turn.session().equals(id), "turns belong to the session " + id, which, turn.session());
            TurnRow.End end = turn.end();
            require(end != null, "turns of the past have an end", which, "none");
            int first = next;
            while (next < messages.size() && messages.get(next).turn() == turn.turn()) {
                next++;
            }
            require(end != null && end.firstMessage() == first && end.messages() == next - first,
                    "the end of a turn names its messages, " + (next - first) + " from " + first, which, end);
        }
    }

    private static void require(boolean holds, String rule, String where, @Nullable Object found) {
        if (!holds) {
            throw new IllegalArgumentException(rule + "; found " + where + ": " + found);
        }
    }
}
