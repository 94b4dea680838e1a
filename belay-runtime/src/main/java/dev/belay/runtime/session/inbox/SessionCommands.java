package dev.belay.runtime.session.inbox;

import dev.belay.json.Json;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.law.SessionReads;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commands to one session: reads those that wait and gives new ones. Thread-safe.
 *
 * @param inbox of the session
 * @param session which
 * @param agent that it must have; null for any
 */
public record SessionCommands(Inbox inbox, SessionId session, @Nullable String agent) {

    /**
     * A session and the commands that wait for its next turn.
     *
     * @param saved what was committed
     * @param waiting commands that no turn has taken
     * @param place of the last arrival
     */
    public record Now(SavedState saved, List<SessionCommand> waiting, long place) {

        /** The settings once everything that waits was taken. */
        public TurnSettings settings() {
            TurnSettings last = saved.settings();
            for (SessionCommand command : waiting) {
                last = command instanceof SessionCommand.Settings(TurnSettings other) ? other : last;
            }
            return last;
        }
    }

    public Now now() {
        while (true) {
            SessionHead head = inbox.store.read(SessionReads.head(session)).orElse(null);
            List<Arrived> waiting = inbox.waiting(session);
            SessionHead after = inbox.store.read(SessionReads.head(session)).orElse(null);
            boolean same = head == null
                    ? after == null
                    : after != null && head.incarnation().equals(after.incarnation())
                            && head.revision() == after.revision() && head.lastPlace() == after.lastPlace();
            if (same) {
                return now(after, waiting);
            } // else something has arrived in between, or a turn was committed and has taken some of what waited
        }
    }

    private static Now now(@Nullable SessionHead head, List<Arrived> waiting) {
        if (head == null) {
            return new Now(SavedState.of(Json.NULL), List.of(), 0);
        }
        return new Now(SavedState.of(head.state()), waiting.stream()
                .map(Arrived::arrival)
                .filter(arrival -> arrival.kind() == Arrival.Kind.COMMAND)
                .map(arrival -> SessionCommand.of(arrival.content()))
                .toList(), head.lastPlace());
    }

    /** Gives a command, whatever else waits; an id is drawn. */
    public void give(SessionCommand command) {
        give(command, inbox.newId());
    }

    /** Gives a command, whatever else waits. */
    public void give(SessionCommand command, String id) {
        requireAgent();
        inbox.offer(session, command.arrival(id), -1);
    }

    /**
     * Lets the states of a plugin begin anew, with the next turn; leaves a row in the audit log.
     *
     * @return {@code Already} if the session keeps no state of the plugin and has no turn that may have changed one, or if the same was
     *         asked for before
     */
    public VerbResult reset(String plugin, Actor by) {
        var reset = new SessionCommand.ResetPlugin(plugin);
        while (true) {
            SessionHead head = inbox.store.read(SessionReads.head(session)).orElse(null);
            if (head == null) {
                return new VerbResult.NotPossible("there is no session " + session);
            }
            Now now = now();
            boolean kept = StateValues.has(now.saved().plugins(), plugin);
            if (now.waiting().contains(reset) || (!kept && head.active() == null)) {
                return VerbResult.ALREADY;
            }
            Store noting = inbox.store
                    .noting(AuditEntry.Note.of(by, "reset plugin", session + "/" + plugin, null),
                            inbox.now());
            Acceptance acceptance = inbox.offer(noting, session, inbox.newIncarnation(),
                    reset.arrival(inbox.newId()), now.place());
            if (!(acceptance instanceof Acceptance.Overtaken)) {
                return VerbResult.DONE;
            }
        }
    }

    private void requireAgent() {
        if (agent != null) {
            inbox.require(session, agent);
        }
    }

    /** Gives a command that was decided by what the session is now; decides again if something arrives meanwhile. */
    public void give(Function<Now, SessionCommand> decide) {
        requireAgent();
        Acceptance acceptance;
        do {
            Now now = now();
            acceptance = inbox.offer(session, decide.apply(now).arrival(inbox.newId()), now.place());
        } while (acceptance instanceof Acceptance.Overtaken);
    }
}
