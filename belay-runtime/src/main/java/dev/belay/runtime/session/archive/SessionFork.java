package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.Incarnation;
import java.util.ArrayList;
import java.util.List;

/** The past of a session up to a turn, for a new session that goes on from there. */
final class SessionFork {

    private static final int PAGE = 500;

    private final SessionId from;
    private final long turn;
    private final Incarnation incarnation;
    private final SessionHead head;
    private final List<TurnRow> turns = new ArrayList<>();
    private final List<StoredMessage> messages = new ArrayList<>();
    private Json state = Json.NULL;

    SessionFork(Store store, SessionId from, long turn) {
        this.from = from;
        this.turn = turn;
        head = store.read(SessionReads.head(from))
                .orElseThrow(() -> new BelayException("unknown_session",
                        "there is no session " + from + " to be forked"));
        long revision = head.revision();
        incarnation = head.incarnation();
        if (turn < 0 || turn > revision) {
            throw new BelayException("unknown_turn", "session " + from + " has " + revision
                    + " committed turns, so it cannot be forked after turn " + turn);
        }
        while (turns.size() < turn) {
            List<TurnRow> page = store.read(SessionReads.turns(from, turns.size() + 1L,
                    (int) Math.min(PAGE, turn - turns.size())));
            SessionExport.demand(page, from);
            page.forEach(this::take);
        }
        long wanted = turns.stream().mapToLong(row -> SessionExport.end(row).messages()).sum();
        while (messages.size() < wanted) {
            List<StoredMessage> page = store.read(SessionReads.messages(from, messages.size(),
                    (int) Math.min(PAGE, wanted - messages.size())));
            SessionExport.demand(page, from);
            messages.addAll(page);
        }
        SessionExport.problem(messages).ifPresent(problem -> {
            throw JournalException.corrupt("session " + from + " cannot be forked after turn " + turn + ": "
                    + problem + "; fork it after an earlier turn", null);
        });
    }

    private void take(TurnRow row) {
        turns.add(row);
        Json after = SessionExport.end(row).state();
        state = after == null ? state : after;
    }

    NewSession as(SessionId to, Incarnation own) {
        Json origin = Json.write(out -> {
            out.beginObject().name("forked").value(from.value()).name("turn").value(turn);
            out.name(SentRequests.INCARNATION).value(incarnation.toString());
            out.name(SessionHead.FAMILY).value(head.family());
            SessionHead.keepAbove(head.origin(), out);
            out.endObject();
        });
        List<TurnRow> copied = turns.stream()
                .map(row -> new TurnRow(to, row.turn(), row.input(), row.acceptedAt(), row.end()))
                .toList();
        return new NewSession(to, own, origin, copied, messages, state,
                SessionProfile.PLAIN.withAgent(head.profile().agent()).below(head.profile().above()),
                incarnation);
    }
}
