package dev.belay.runtime.session.inbox;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.session.SessionsCapability;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.law.SessionReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session below another one. Its id is derived from what makes it, so that making it again finds the same session.
 *
 * @param parent the session that makes it
 * @param id its own
 * @param agent that answers it
 * @param gated whether sessions above it have policies
 */
public record NewChild(SessionId parent, SessionId id, String agent, boolean gated) {

    /** Throws {@code resource_limit} if it would stand too deep. */
    public void requireRoom(Inbox inbox) {
        requireRoom(depth(inbox.store.read(SessionReads.head(parent))));
    }

    private static void requireRoom(int depth) {
        if (depth > SessionsCapability.DEEPEST) {
            throw new BelayException("resource_limit", "sessions may stand " + SessionsCapability.DEEPEST
                    + " deep below each other, and this one would be deeper");
        }
    }

    /**
     * Makes the session unless it is there.
     *
     * @throws BelayException {@code resource_limit} if it would stand too deep, {@code session_exists} if it is below another session or below
     *         none, {@code agent_mismatch} if it is of another agent
     */
    public void make(Inbox inbox) {
        Optional<SessionHead> above = inbox.store.read(SessionReads.head(parent));
        List<String> ancestors = new ArrayList<>(above.map(head -> head.profile().above()).orElse(List.of()));
        ancestors.add(parent.value());
        make(inbox, depth(above), above.map(SessionHead::family).orElse(""), ancestors);
    }

    /** Makes the session as {@link #make(Inbox)} does, by what is known of its parent, which may have been deleted. */
    public void make(Inbox inbox, String family, List<String> ancestors) {
        make(inbox, ancestors.size(), family, ancestors);
    }

    private void make(Inbox inbox, int depth, String family, List<String> ancestors) {
        requireRoom(depth);
        Json origin = Json.write(out -> {
            out.beginObject()
                    .name(SessionHead.PARENT)
                    .value(parent.value())
                    .name(SessionHead.DEPTH)
                    .value(depth);
            out.name(SessionHead.FAMILY).value(family);
            if (gated) {
                out.name(SessionHead.GATED).value(true);
            }
            out.endObject();
        });
        inbox.store.apply(inbox.store.sessions()
                .create(
                        new NewSession(id, inbox.newIncarnation(), origin, List.of(), List.of(), Json.NULL)
                                .of(agent)
                                .below(ancestors),
                        inbox.now()));
        requireOwn(inbox);
    }

    /** Throws unless the session that is there is below this parent and of this agent. */
    public void requireOwn(Inbox inbox) {
        inbox.store.read(SessionReads.head(id))
                .filter(head -> !head.parent().equals(Optional.of(parent)))
                .ifPresent(other -> {
                    throw new BelayException("session_exists",
                            "a session " + id + " exists that is not below session "
                                    + parent + "; it is left as it is");
                });
        inbox.requireNoOther(id, agent);
    }

    private static int depth(Optional<SessionHead> parent) {
        return 1 + parent.map(SessionHead::origin)
                .filter(origin -> !origin.isNull())
                .flatMap(origin -> origin.get(SessionHead.DEPTH))
                .map(Json::asInt)
                .orElse(0);
    }
}
