package dev.belay.runtime.session;

import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.store.SessionId;
import java.util.Collection;

/** What a body may do with the session it is in, and with sessions of its own. Confined to one call, like its context. */
public interface SessionsCapability {

    /** How deep sessions may stand below each other, so that a model that delegates to itself comes to an end. */
    int DEEPEST = 5;

    /** The session of this call. */
    SessionId current();

    /** The model that answers this turn. */
    TurnModel model();

    /** The session as it was committed last; this turn is not in it. */
    SessionSnapshot snapshot();

    /** A session that this call has made; {@code snapshot_not_granted} for any other. */
    SessionSnapshot snapshot(SessionId session);

    /** What this turn's model is offered. */
    ToolCatalog toolCatalog();

    /**
     * Makes tools members of the session, or not, from the next question to the model on. Recorded with this call, and only if
     * it succeeds.
     */
    MembershipChanges setToolMembership(Collection<String> names, boolean present);

    /**
     * A session below this one. The name tells sessions of one call apart: asking again, also after a restart, finds the same.
     *
     * @throws dev.belay.tool.ToolException {@code resource_limit} if it would stand too deep
     */
    ChildSession create(String name);
}
