package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.turn.SessionEngine;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionStore;
import dev.belay.runtime.store.TurnScope;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is done to sessions as a whole: copies and deletions. Thread-safe.
 *
 * @param engine whose sessions
 */
public record WholeSessions(SessionEngine engine) {

    /** Deletes a session, tells whoever waits for it, and settles what waits for its inputs. */
    public boolean delete(SessionId session) {
        Optional<SessionHead> head = engine.store().head(session);
        // told first: after the deletion a process that dies could tell nobody
        head.ifPresent(before -> open(before).forEach(arrived -> takenBack(arrived.arrival())));
        boolean deleted = engine.store().delete(session, engine.now());
        engine.forget(session);
        if (deleted) {
            head.filter(before -> before.active() != null)
                    .ifPresent(
                            before -> engine.host()
                                    .ended(TurnScope.id(before.incarnation(), before.revision() + 1)));
        }
        return deleted;
    }

    /** What has come in and is in no turn that was committed. */
    public List<Arrived> open(SessionHead head) {
        List<Arrived> open = new ArrayList<>(engine.store().waiting(head.id()));
        Optional.ofNullable(head.active())
                .flatMap(active -> engine.store().turn(head.id(), active))
                .flatMap(turn -> engine.store().arrival(head.id(), turn.input()))
                .ifPresent(open::add);
        return open;
    }

    /** An input will be in no turn: whoever waits for its result is told. */
    public void takenBack(Arrival arrival) {
        String token = arrival.kind() == Arrival.Kind.INPUT
                ? TurnInput.of(arrival.content()).settles()
                : null;
        if (token != null) {
            engine.host().resolve(token, new Resolution.Cancelled("the input was taken back"));
        }
    }

    /** As {@link SessionEngine#importSession}. */
    public Session importSession(Reader lines, SessionId as) throws IOException {
        return made(SessionExport.read(lines, as, engine.newIncarnation()));
    }

    public Session fork(SessionId from, long turn, SessionId to) {
        SessionStore store = engine.store();
        return made(new SessionFork(store, from, turn).as(to, engine.newIncarnation()));
    }

    private Session made(NewSession past) {
        if (!engine.store().create(past, engine.now())) {
            throw new BelayException("session_exists", "there is a session " + past.id()
                    + " already; choose another name, or delete it first");
        }
        return engine.session(past.id());
    }
}
