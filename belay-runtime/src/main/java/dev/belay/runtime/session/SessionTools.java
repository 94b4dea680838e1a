package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.store.Acceptance;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolProvider;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one session. What is decided here is kept at once, takes effect at the next question to the model and is part of
 * that turn's commit. Sources are live: whoever adds one adds it again after a restart. Thread-safe.
 */
public final class SessionTools {

    private final SessionEngine engine;
    private final SessionId session;

    SessionTools(SessionEngine engine, SessionId session) {
        this.engine = engine;
        this.session = session;
    }

    /** Adds tools for this session alone, in this process. */
    public SourceHandle add(ToolProvider provider) {
        return engine.ownRegistry(session).add(provider);
    }

    /** All tools of the session and how they stand, what waits for the next turn included. */
    public List<ListedTool> list() {
        return now().tools().registry().list();
    }

    /** What the model will be offered next. */
    public ToolCatalog catalog() {
        return now().tools().catalog();
    }

    /** Makes tools members of the session, or not. Names that no tool has are in the answer, and change nothing. */
    public MembershipChanges setMembership(Collection<String> names, boolean present) {
        return change(names, present ? Membership.PRESENT : Membership.ABSENT);
    }

    /** Takes back what was decided about tools: what the runtime says about them holds again. */
    public MembershipChanges resetMembership(Collection<String> names) {
        return change(names, Membership.DEFAULT);
    }

    private MembershipChanges change(Collection<String> names, Membership membership) {
        MembershipChanges changes = now().tools().registry().resolve(names, membership);
        if (!changes.changes().isEmpty()) {
            engine.accept(session, new ToolCommand.Change(changes.changes()).arrival(engine.newId()), -1);
        }
        return changes;
    }

    ToolState state() {
        return now().tools().registry().state();
    }

    void applyState(ToolState next) {
        give(now -> {
            long generation = now.tools().registry().generation();
            if (next.generation() != generation) {
                throw new BelayException("generation_mismatch", "the tools of session " + session
                        + " are of generation " + generation + ", the state to apply is made for "
                        + next.generation() + "; read the state again and repeat the change");
            }
            now.tools().apply(new ToolCommand.Apply(next));
            return new ToolCommand.Apply(next);
        });
    }

    void restoreState(ToolState saved) {
        give(now -> new ToolCommand.Restore(saved));
    }

    /** Gives a command that was decided by what the session is now; decides again if something arrives meanwhile. */
    private void give(Function<Now, ToolCommand> decide) {
        Acceptance acceptance;
        do {
            Now now = now();
            Arrival command = decide.apply(now).arrival(engine.newId());
            acceptance = engine.accept(session, command, now.place());
        } while (acceptance instanceof Acceptance.Overtaken);
    }

    /**
     * The session as it will be once everything that waits was taken.
     *
     * @param tools its tools
     * @param place of the last arrival
     */
    private record Now(TurnTools tools, long place) {}

    private Now now() {
        while (true) {
            SessionHead head = engine.store().head(session).orElse(null);
            List<Arrived> waiting = engine.store().waiting(session);
            SessionHead after = engine.store().head(session).orElse(null);
            if (after == null || (head != null && head.revision() == after.revision())) {
                return now(after, after == null ? List.of() : waiting);
            } // else a turn was committed in between, and has taken some of what waited
        }
    }

    private Now now(@Nullable SessionHead head, List<Arrived> arrived) {
        var tools = new TurnTools(engine.liveTools(session), head == null ? Json.NULL : head.state());
        if (head == null) {
            return new Now(tools, 0);
        }
        for (Arrived waiting : arrived) {
            if (waiting.arrival().kind() == Arrival.Kind.COMMAND) {
                tools.apply(ToolCommand.of(waiting.arrival().content()));
            }
        }
        return new Now(tools, head.lastPlace());
    }
}
