package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.law.DoubtRules;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.runtime.store.law.SessionRules;
import dev.belay.runtime.store.law.SessionRules.Withdrawing;
import java.io.IOException;
import java.io.Reader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies and deletes whole sessions. Thread-safe.
 *
 * @param agents of the runtime
 */
public record WholeSessions(Agents agents) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.session");

    private TurnServices services() {
        return agents.shared();
    }

    /** Says something else about a session, as an operator's verb. */
    public VerbResult change(SessionId session, Actor by, String verb, UnaryOperator<SessionProfile> change) {
        return services().store()
                .noting(AuditEntry.Note.of(by, verb, session, null), services().inbox().now())
                .apply(SessionRules.profile(session, change))
                .map(before -> change.apply(before).equals(before) ? VerbResult.ALREADY : VerbResult.DONE)
                .orElseGet(() -> new VerbResult.NotPossible("there is no session " + session));
    }

    /** Takes back an input that waits. */
    public VerbResult withdraw(SessionId session, String input, Actor by) {
        Arrived arrived = services().store().read(SessionReads.arrival(session, input)).orElse(null);
        Withdrawing answer = arrived == null
                ? Withdrawing.UNKNOWN
                : services().inbox()
                        .withdraw(session, arrived.arrival(),
                                AuditEntry.Note.of(by, "withdraw", session + "/" + input, null));
        return switch (answer) {
            case DONE, ASKED -> VerbResult.DONE;
            case ASKED_BEFORE -> VerbResult.ALREADY;
            case UNKNOWN -> new VerbResult.NotPossible("there is no input " + input + " in session " + session
                    + "; it was never given, or taken back before");
            case IN_TURN -> new VerbResult.NotPossible("input " + input + " of session " + session
                    + " is in a turn; cancel the turn instead");
        };
    }

    /** Deletes a session and settles what waits for its inputs; {@code Already} if there is none. */
    public VerbResult delete(SessionId session, boolean evenInDoubt, Actor by) {
        if (!evenInDoubt && services().store().read(DoubtRules.isInDoubt(session))) {
            return new VerbResult.NotPossible("calls of session " + session
                    + " may have happened, and that is not settled; settle the doubts, or delete it even in doubt");
        }
        Optional<SessionHead> head = services().store().read(SessionReads.head(session));
        // settled first: a process that dies after the deletion could not find these waits
        head.ifPresent(before -> services().inbox()
                .open(before)
                .forEach(arrived -> services().inbox().withdrawn(arrived.arrival())));
        Instant now = services().inbox().now();
        boolean deleted;
        try {
            deleted = services().store()
                    .noting(AuditEntry.Note.of(by, "delete", session, null), now)
                    .apply(services().store().sessions().delete(session, evenInDoubt));
        } catch (BelayException e) {
            if (e.code().equals("session_in_doubt")) {
                return new VerbResult.NotPossible(String.valueOf(e.getMessage()));
            }
            throw e;
        }
        services().inbox().images().forget(session);
        agents.forget(session);
        if (deleted) {
            head.filter(before -> before.active() != null)
                    .ifPresent(before -> services().host()
                            .ended(TurnScope.id(before.incarnation(), before.revision() + 1)));
        }
        return deleted ? VerbResult.DONE : VerbResult.ALREADY;
    }

    /**
     * Writes everything that a session has committed.
     *
     * @throws BelayException {@code unknown_session} if there is none
     */
    public void export(SessionId session, Appendable out) throws IOException {
        SessionExport.write(services().store(), services().store()
                .read(SessionReads.head(session))
                .orElseThrow(() -> new BelayException("unknown_session",
                        "there is no session " + session + " to be written")),
                out);
    }

    /**
     * Reads a session that was exported, under a name of its own.
     *
     * @param agent which answers it; null for the one it had
     * @throws BelayException {@code invalid_export} if it is damaged, cut or newer; {@code session_exists} if the name is taken
     */
    public void importSession(Reader lines, SessionId as, @Nullable String agent, Actor by)
            throws IOException {
        NewSession read = SessionExport.read(lines, as, services().inbox().newIncarnation());
        make(agent == null ? read : read.of(agent), "import", by);
        List<String> missing = missingAbove(as);
        if (!missing.isEmpty()) {
            LOG.warn(
                    "Session {} was imported without the sessions above it, whose policies decide about its calls: they are denied until this"
                            + " store has {}",
                    as, String.join(", ", missing));
        }
    }

    /** The sessions above one whose policies decide about its calls and that this store does not have: the calls are denied. */
    public List<String> missingAbove(SessionId session) {
        return services().store()
                .read(SessionReads.head(session))
                .filter(SessionHead::isGatedAbove)
                .map(head -> head.profile().above())
                .orElse(List.of())
                .stream()
                .filter(above -> services().store().read(SessionReads.head(new SessionId(above))).isEmpty())
                .toList();
    }

    /** Makes a session with the past of another one up to a turn. */
    public void fork(SessionId from, long turn, SessionId to, Actor by) {
        make(new SessionFork(services().store(), from, turn).as(to, services().inbox().newIncarnation()),
                "fork", by);
    }

    private void make(NewSession past, String verb, Actor by) {
        if (past.profile().above().contains(past.id().value())) {
            throw new BelayException("session_exists", past.id()
                    + " is the name of a session above this one, whose policy decides about its calls; choose another name");
        }
        Instant now = services().inbox().now();
        if (!services().store()
                .noting(AuditEntry.Note.of(by, verb, past.id(), null), now)
                .apply(services().store().sessions().create(past, now))) {
            throw new BelayException("session_exists", "there is a session " + past.id()
                    + " already; choose another name, or delete it first");
        }
    }
}
