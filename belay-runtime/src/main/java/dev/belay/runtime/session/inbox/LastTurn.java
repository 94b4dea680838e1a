package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.law.SessionReads;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries the last turn of a session once more: an input without a message.
 *
 * <p>Concurrency: the input is accepted only if nothing else has arrived since the session was looked at; else it is looked at again.
 */
public final class LastTurn {

    private static final TurnInput UNKNOWN = new TurnInput(null, TurnSettings.NONE, null, Json.EMPTY_OBJECT,
            Instant.EPOCH, null, null, TurnInput.Manner.PLAIN);

    private LastTurn() {}

    /** What came of it. */
    public sealed interface Tried {}

    /**
     * The turn is tried again.
     *
     * @param input which was accepted
     * @param before whether that was asked for before
     */
    public record Accepted(AcceptedInput input, boolean before) implements Tried {}

    /**
     * It is not.
     *
     * @param reason why, and what can be done
     */
    public record Refused(String reason) implements Tried {}

    /** Tries it, and notes who asked. */
    public static Tried again(Inbox inbox, SessionId session, Actor by) {
        while (true) {
            SessionHead head = inbox.store.read(SessionReads.head(session)).orElse(null);
            if (head == null) {
                return new Refused("there is no session " + session + "; give it a first input");
            }
            Long active = head.active();
            if (active != null) {
                return attached(inbox, session, active);
            }
            String why = obstacle(inbox, head);
            if (why != null) {
                return new Refused(why);
            }
            String id = id(head.revision());
            Store noting = inbox.store
                    .noting(AuditEntry.Note.of(by, "again", session + "/" + head.revision(), null),
                            inbox.now());
            Acceptance accepted = inbox.accept(noting, session, id, input(inbox, head), head.lastPlace());
            if (!(accepted instanceof Acceptance.Overtaken)) {
                return new Accepted(new AcceptedInput(inbox, session, id, null),
                        accepted instanceof Acceptance.Known);
            }
        }
    }

    private static String id(long turn) {
        return "again/" + turn;
    }

    /** A turn that runs may be the one that tries the last one again. */
    private static Tried attached(Inbox inbox, SessionId session, long active) {
        String id = id(active - 1);
        boolean same = inbox.store.read(SessionReads.turn(session, active))
                .filter(turn -> turn.input().equals(id))
                .isPresent();
        return same
                ? new Accepted(new AcceptedInput(inbox, session, id, null), true)
                : new Refused("turn " + active + " of session " + session
                        + " is not committed yet; wait for it, or cancel it");
    }

    /** Why the last turn cannot be tried again, or null. */
    private static @Nullable String obstacle(Inbox inbox, SessionHead head) {
        String which = "turn " + head.revision() + " of session " + head.id();
        if (head.profile().closedAt() != null) {
            return "session " + head.id() + " is closed; open it again first";
        }
        TurnRow row = inbox.store.read(SessionReads.turn(head.id(), head.revision())).orElse(null);
        TurnRow.End end = row == null ? null : row.end();
        if (end == null) {
            return "session " + head.id() + " has no turn yet; give it a first input";
        }
        if (!(TurnResult.Ended.of(end.result()) instanceof TurnResult.Stopped)) {
            return which + " was not stopped: it has an answer; give a new input";
        }
        if (first(inbox, head).loop() != null) {
            return which + " belongs to a loop of your own; begin a new turn in it";
        }
        SessionImage image = inbox.images.read(head.id());
        return image == null || image.messages().isEmpty()
                || image.messages().getLast() instanceof Message.AssistantMessage
                        ? which + " has left nothing that the model could answer; give a new input"
                        : null;
    }

    /** The input that started the last turn; one that says nothing special if it is not kept. */
    private static TurnInput first(Inbox inbox, SessionHead head) {
        return inbox.store.read(SessionReads.turn(head.id(), head.revision()))
                .flatMap(turn -> inbox.store.read(SessionReads.arrival(head.id(), turn.input())))
                .map(arrived -> TurnInput.of(arrived.arrival().content()))
                .orElse(UNKNOWN);
    }

    private static TurnInput input(Inbox inbox, SessionHead head) {
        TurnInput first = first(inbox, head);
        return new TurnInput(null, first.settings(), null, first.with(), inbox.now(), null, null,
                new TurnInput.Manner(false, first.manner().answer(), Map.of()));
    }
}
