package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.runtime.session.turn.Agents;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.TurnScope;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies and deletes whole sessions. Thread-safe.
 *
 * @param agents of the runtime
 */
public record WholeSessions(Agents agents) {

    private TurnServices services() {
        return agents.shared();
    }

    /** Deletes a session and settles what waits for its inputs; false if there is none. */
    public boolean delete(SessionId session) {
        Optional<SessionHead> head = services().store().head(session);
        // settled first: a process that dies after the deletion could not find these waits
        head.ifPresent(before -> services().inbox()
                .open(before)
                .forEach(arrived -> services().inbox().withdrawn(arrived.arrival())));
        boolean deleted = services().store().delete(session, services().inbox().now());
        services().inbox().images().forget(session);
        agents.forget(session);
        if (deleted) {
            head.filter(before -> before.active() != null)
                    .ifPresent(before -> services().host()
                            .ended(TurnScope.id(before.incarnation(), before.revision() + 1)));
        }
        return deleted;
    }

    /**
     * Writes everything that a session has committed.
     *
     * @throws BelayException {@code unknown_session} if there is none
     */
    public void export(SessionId session, Appendable out) throws IOException {
        SessionExport.write(services().store(), services().store()
                .head(session)
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
    public void importSession(Reader lines, SessionId as, @Nullable String agent) throws IOException {
        NewSession read = SessionExport.read(lines, as, services().inbox().newIncarnation());
        make(agent == null ? read : read.of(agent));
    }

    /** Makes a session with the past of another one up to a turn. */
    public void fork(SessionId from, long turn, SessionId to) {
        make(new SessionFork(services().store(), from, turn).as(to, services().inbox().newIncarnation()));
    }

    private void make(NewSession past) {
        if (!services().store().create(past, services().inbox().now())) {
            throw new BelayException("session_exists", "there is a session " + past.id()
                    + " already; choose another name, or delete it first");
        }
    }
}
