package dev.belay.runtime.session.turn;

import dev.belay.Wait;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.inbox.Inbox;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.stream.SessionStreams;
import dev.belay.runtime.store.TurnScope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once that a turn rests, with an event and a line, and once that it goes on. Thread-safe. */
public final class RestNotices {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.turn");
    /** Of so many turns the end of a rest is told; others go on without a line. */
    private static final int MOST = 1_000;

    private final Inbox inbox;
    private final SessionStreams streams;
    /** Turns that rest, with their names. */
    private final Map<ScopeId, String> resting = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ScopeId, String> eldest) {
            return size() > MOST;
        }
    });

    public RestNotices(Inbox inbox, SessionStreams streams) {
        this.inbox = inbox;
        this.streams = streams;
    }

    /** A scope was parked here. */
    public void parked(ScopeId scope, ScopeInput input) {
        if (TurnScope.isTurn(input.kind())) {
            try {
                parked(scope, TurnStart.of(input));
            } catch (JournalException e) {
                LOG.debug("what scope {} waits for cannot be read", scope, e);
            }
        }
    }

    private void parked(ScopeId scope, TurnStart turn) {
        Optional<List<Wait>> waits = inbox.rests().of(scope, turn.session(), turn.turn());
        String name = "Turn " + turn.turn() + " of session " + turn.session();
        if (waits.isPresent() && resting.put(scope, name) == null) {
            LOG.info("{} rests; it waits for {}", name,
                    String.join(" | ", waits.get().stream().map(Wait::line).toList()));
            streams.of(turn.session()).tell(new TurnEvent.Resting(turn.turn(), waits.get()));
        }
    }

    /** A scope is entered here. */
    public void entered(ScopeId scope) {
        String name = resting.remove(scope);
        if (name != null) {
            LOG.info("{} goes on", name);
        }
    }
}
