package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.history.SentRequest;
import dev.belay.runtime.plugin.engine.SentPrompt;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.session.history.HistoryView;
import dev.belay.runtime.session.history.SavedHistory;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.turn.TurnCalls;
import dev.belay.runtime.session.turn.TurnRecords;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.toolset.loop.StepEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was decided about the history of a session, and rebuilds what models were sent: from the messages, the records of the turn and
 * the session's state as it was. Nothing of it is asked again. Thread-safe.
 *
 * @param services of the agent that answers the session, as far as it is known here
 * @param session which
 */
public record SentRequests(TurnServices services, SessionId session) {

    /** The field of a fork's origin that says which session of that name it was. */
    static final String INCARNATION = "incarnation";
    private static final int PAGE = 500;

    /** What was decided, from the oldest on. */
    public List<Compaction> decided() {
        SessionHead head = services.store().read(SessionReads.head(session)).orElse(null);
        List<Compaction> newestFirst = new ArrayList<>();
        SavedHistory at = head == null ? SavedHistory.of(null) : SavedHistory.of(history(head.state()));
        while (at.turn() != 0) {
            SavedHistory whole = at.whole(this::in);
            newestFirst.addAll(whole.decided().reversed());
            at = at.before() == 0 ? SavedHistory.of(null) : SavedHistory.of(in(at.before()));
        }
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    private static @Nullable Json history(@Nullable Json state) {
        return state == null ? null : SavedState.of(state).history();
    }

    private @Nullable Json in(long turn) {
        return SavedState.historyIn(services.store(), session, turn);
    }

    /** What the model was sent in a round; empty if none was asked there, or its record is gone. */
    public Optional<SentRequest> find(long turn, int round) {
        SessionHead head = services.store().read(SessionReads.head(session)).orElse(null);
        TurnRow row = services.store().read(SessionReads.turn(session, turn)).orElse(null);
        TurnInput input = row == null
                ? null
                : services.store()
                        .read(SessionReads.arrival(session, row.input()))
                        .map(arrived -> TurnInput.of(arrived.arrival().content()))
                        .orElse(null);
        if (head == null || row == null) {
            return Optional.empty();
        }
        if (input == null) {
            return madeWith(head, turn, round);
        }
        var start = new TurnStart(session, head.incarnation(), turn, row.input(), input, services.agent());
        TurnRecords records = TurnRecords.of(services, start.scope(), turn);
        Json recorded = records.round(round);
        RoundRecord record = recorded == null ? null : RoundRecord.of(recorded);
        RoundRecord.Asked asked = record == null ? null : record.asked();
        return record == null || asked == null
                ? Optional.empty()
                : Optional.of(rebuilt(new Rebuilt(start, records, head, row), round, record, asked));
    }

    /** A turn that the session was made with: the records are with the session that ran it. */
    private Optional<SentRequest> madeWith(SessionHead head, long turn, int round) {
        Optional<SessionId> forked = origin(head, "forked").map(SessionId::new);
        if (forked.isPresent()) {
            Optional<String> found = services.store()
                    .read(SessionReads.head(forked.get()))
                    .map(from -> from.incarnation().toString());
            if (found.isEmpty() || !found.equals(origin(head, INCARNATION))) {
                throw notKept(turn, round, "session " + forked.get() + " has run this turn, and was deleted");
            }
            return new SentRequests(services, forked.get()).find(turn, round);
        }
        Optional<String> imported = origin(head, "imported");
        if (imported.isPresent()) {
            throw notKept(turn, round, "it was imported from an export of session " + imported.get()
                    + ", and an export has no records of rounds; ask that session in the store that it came from");
        }
        return Optional.empty();
    }

    private static Optional<String> origin(SessionHead head, String field) {
        return head.origin().isNull() ? Optional.empty() : head.origin().get(field).map(Json::asString);
    }

    private BelayException notKept(long turn, int round, String why) {
        return new BelayException("request_not_kept",
                "what the model was sent in round " + round + " of turn "
                        + turn + " of session " + session + " cannot be rebuilt: " + why);
    }

    private SentRequest rebuilt(Rebuilt turn, int round, RoundRecord record, RoundRecord.Asked asked) {
        MessageLog messages = turn.before(round);
        SentPrompt sent = SentPrompt.of(asked.plugins(), turn.systemBefore(round));
        if (sent != null && sent.view() != null) {
            messages = turn.view(round).viewed(sent.view());
        }
        messages = messages.append(JoinedArrivals.messages(record.joined()))
                .append(record.hooks().before().messages());
        if (sent != null && sent.prompt() != null) {
            messages = sent.prompt().around(messages);
        }
        messages = turn.corrected(round, messages);
        if (!asked.request().isEmpty() && !asked.request().equals(messages.hash())) {
            throw notKept(turn.start.turn(), round,
                    "a loop of your own has added messages that are not kept, or"
                            + " the turn is not committed and its agent is not defined here");
        }
        return new SentRequest(turn.start.turn(), round, asked.model(), asked.variant(), messages,
                messages.hash(), asked.generation(), asked.offered(),
                sent == null ? List.of() : sent.failed());
    }

    /** A turn that is rebuilt. */
    private final class Rebuilt {

        private final TurnStart start;
        private final TurnRecords records;
        private final List<TurnCall> calls;
        private final SessionImage image;
        private final HistoryView view;

        Rebuilt(TurnStart start, TurnRecords records, SessionHead head, TurnRow row) {
            this.start = start;
            this.records = records;
            TurnRow.End end = row.end();
            calls = end == null
                    ? List.of()
                    : TurnCalls.of(services, session, start.scope(), start.turn());
            Json before = end == null ? head.state() : state(start.turn() - 1);
            SavedState saved = SavedState.of(before);
            String own = start.input().settings().instructions();
            String instructions = own != null
                    ? own
                    : end == null
                            ? new TurnConfig(services.settings(), saved.settings(), start.input().settings())
                                    .instructions()
                            : Objects.requireNonNullElse(SavedHistory.of(history(state(start.turn())))
                                    .whole(SentRequests.this::in)
                                    .instructions(), "");
            image = new SessionImage(start.incarnation(), start.turn() - 1, "", 0,
                    log(end == null ? head.messages() : end.firstMessage()), before, null, null)
                    .instructed(instructions);
            view = HistoryView.of(SavedHistory.of(saved.history()), SentRequests.this::in, image.messages(),
                    0);
        }

        /** What was said before a round. */
        private MessageLog said(int round) {
            return new AbandonedTurn(services, start, "", calls).state(image, round - 1).messages();
        }

        HistoryView view(int round) {
            MessageLog said = said(round);
            HistoryView now = view;
            for (int at = 1; at <= round; at++) {
                now = now.after(records.scope().rows(), at, said);
            }
            return now.of(said);
        }

        MessageLog before(int round) {
            return view(round).sent();
        }

        /** The system text that plugins have made for the round before. */
        @Nullable
        String systemBefore(int round) {
            String system = null;
            for (int at = 1; at < round; at++) {
                Json recorded = records.round(at);
                RoundRecord.Asked asked = recorded == null ? null : RoundRecord.of(recorded).asked();
                SentPrompt sent = asked == null ? null : SentPrompt.of(asked.plugins(), system);
                system = sent == null || sent.prompt() == null ? system : sent.prompt().system();
            }
            return system;
        }

        /** With the correction of an answer of the wrong form. */
        MessageLog corrected(int round, MessageLog messages) {
            Json recorded = round == 1 ? null : records.round(round - 1);
            RoundRecord last = recorded == null ? null : RoundRecord.of(recorded);
            if (last == null || last.reply() == null || last.wrong() == null) {
                return messages;
            }
            ModelRequest request = ModelRequest.builder(messages).build();
            return MessageLog.of(StepEngine.correction(request, last.reply(), last.wrong()).messages());
        }
    }

    /** The state after a turn. */
    private Json state(long turn) {
        for (long to = turn; to > 0; to -= PAGE) {
            long from = Math.max(1, to - PAGE + 1);
            for (TurnRow row : services.store()
                    .read(SessionReads.turns(session, from, (int) (to - from + 1)))
                    .reversed()) {
                TurnRow.End end = row.end();
                if (end != null && end.state() != null) {
                    return end.state();
                }
            }
        }
        return Json.NULL;
    }

    private MessageLog log(long wanted) {
        MessageLog log = MessageLog.empty();
        while (log.size() < wanted) {
            List<StoredMessage> page = services.store()
                    .read(SessionReads.messages(session, log.size(),
                            (int) Math.min(PAGE, wanted - log.size())));
            if (page.isEmpty()) {
                return log;
            }
            for (StoredMessage one : page) {
                log = log.append(MessageJson.message(one.message()));
            }
        }
        return log;
    }
}
