package dev.belay.runtime.session.history;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.store.journal.EffectRow;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What of a conversation is sent: the last compaction in place of its beginning, then the conversation as it went on. It grows with the
 * conversation, at its end alone, and to grow costs what was added. Immutable.
 */
public final class HistoryView {

    private final @Nullable Pieces pieces;
    private final int upTo;
    private final MessageLog sent;
    private final int covered;

    private HistoryView(@Nullable Pieces pieces, int upTo, MessageLog sent, int covered) {
        this.pieces = pieces;
        this.upTo = upTo;
        this.sent = sent;
        this.covered = covered;
    }

    /** All of a conversation. */
    public static HistoryView whole(MessageLog log) {
        return new HistoryView(null, 0, log, log.size());
    }

    /**
     * A conversation as a session keeps it.
     *
     * @param in the history in the state of a turn, or null
     * @param skipped how many of the oldest messages are not in the log
     */
    public static HistoryView of(SavedHistory saved, LongFunction<@Nullable Json> in, MessageLog log,
            int skipped) {
        Pieces pieces = saved.turn() == 0 ? null : saved.whole(in).pieces();
        return pieces == null ? whole(log) : of(pieces, saved.upTo(), log, skipped);
    }

    /**
     * A conversation after a compaction.
     *
     * @param upTo how many messages of it the pieces stand for, a system message not counted
     * @param skipped how many of the oldest messages are not in the log
     */
    static HistoryView of(Pieces pieces, int upTo, MessageLog log, int skipped) {
        int first = first(log);
        List<Message> said = log.subList(first, log.size());
        MessageLog sent = MessageLog.empty()
                .append(log.subList(0, first))
                .append(pieces.of(said, skipped))
                .append(said.subList(upTo - skipped, said.size()));
        return new HistoryView(pieces, upTo, sent, log.size());
    }

    /** The place of the first message that is no instruction. */
    static int first(MessageLog log) {
        return !log.isEmpty() && log.getFirst() instanceof Message.SystemMessage ? 1 : 0;
    }

    /** The same after the compactions that are recorded before a round. */
    public HistoryView after(Map<String, EffectRow> records, int round, MessageLog log) {
        HistoryView now = this;
        for (Reason reason : List.of(Reason.FULL, Reason.REFUSED)) {
            EffectRow row = records.get(CompactEffect.key(round, reason).value());
            Json result = row == null ? null : row.result();
            CompactionRecord made = result == null ? null : CompactionRecord.of(result);
            now = made == null || made.pieces() == null ? now : of(made.pieces(), made.upTo(), log, 0);
        }
        return now;
    }

    /** The messages that views of plugins have made, as it is recorded. */
    public MessageLog viewed(Json recorded) {
        int from = compacted();
        List<Message> made = Pieces.of(recorded, "pieces").of(sent.subList(from, sent.size()), upTo);
        return MessageLog.empty().append(sent.subList(0, from)).append(made);
    }

    /** The same conversation with what was said since. */
    @SuppressWarnings("ReferenceEquality") // to compare conversations would cost more than a view
    public HistoryView of(MessageLog log) {
        if (pieces == null) {
            return sent == log ? this : whole(log);
        }
        return log.size() == covered
                ? this
                : new HistoryView(pieces, upTo, sent.append(log.subList(covered, log.size())), log.size());
    }

    /** What is sent, the system message included. */
    public MessageLog sent() {
        return sent;
    }

    /** How many of the messages that are sent are older than the last compaction, or its own. */
    int compacted() {
        return first(sent) + (pieces == null ? 0 : pieces.places().size());
    }

    /** For each message that is sent, but for the system message, its place in the conversation; -1 for those of a compaction. */
    int[] places() {
        int first = first(sent);
        int[] places = new int[sent.size() - first];
        List<Integer> before = pieces == null ? List.of() : pieces.places();
        for (int at = 0; at < places.length; at++) {
            places[at] = at < before.size() ? before.get(at) : upTo + at - before.size();
        }
        return places;
    }
}
