package dev.belay.runtime.session;

import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.ToolManifest;
import java.util.Collection;
import java.util.List;

/** What a body may do with the session it is in, and with sessions of its own. Confined to one call, like its context. */
public interface SessionsCapability {

    /** How deep sessions may stand below each other, so that a model that delegates to itself comes to an end. */
    int DEEPEST = 5;

    /** The session of this call. */
    SessionId current();

    /** The model that answers this turn. */
    TurnModel model();

    /**
     * The session with the running turn: what was committed, the input of this turn and its rounds so far. The message that asks for
     * this call is not in it, because its calls have no replies yet.
     */
    SessionSnapshot snapshot();

    /**
     * Another session as it was committed last: one that this call has made or that the builder grants;
     * {@code snapshot_not_granted} for any other.
     */
    SessionSnapshot snapshot(SessionId session);

    /** What this turn's model is offered. */
    ToolCatalog toolCatalog();

    /**
     * Makes tools members of the session, or not, from the next question to the model on. Recorded with this call, and only if
     * it succeeds.
     */
    MembershipChanges setToolMembership(Collection<String> names, boolean present);

    /** Takes back what was decided about tools: what the runtime says about them holds again. When it counts is as above. */
    MembershipChanges resetToolMembership(Collection<String> names);

    /**
     * Finds tools of the session by what they can do, best first. What is found is offered from the next question to the model on, for as
     * long as its definition stays as it is now; recorded with this call, and only if it succeeds.
     *
     * @param question one capability, in words
     * @param limit how many at most
     */
    List<ToolManifest> searchTools(String question, int limit);

    /**
     * A session below this one, of the same agent. The name tells sessions of one call apart: asking again, also after a restart, finds the same.
     *
     * @throws dev.belay.tool.ToolException {@code resource_limit} if it would stand too deep
     */
    ChildSession create(String name);

    /**
     * The same for another agent, which answers with its own model, instructions and tools: so a tool delegates to a specialist.
     *
     * @throws dev.belay.tool.ToolException {@code unknown_agent} if it is not defined in this runtime
     */
    ChildSession create(String name, String agent);
}
