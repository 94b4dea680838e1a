package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a session stands.
 *
 * @param id which
 * @param incarnation made with it; a session of the same name that is made after this one was deleted has another
 * @param revision the last turn that was committed, 0 for none
 * @param active the turn that was accepted and is not committed, or null
 * @param messages how many messages it has
 * @param lastPlace the place of the last arrival, 0 for none
 * @param state everything else that turns have left; {@link Json#NULL} for nothing
 * @param origin where it comes from, in the words of its maker; {@link Json#NULL} for nowhere
 * @param profile its agent, its labels, and whether it is closed
 * @param createdAt when it was made
 * @param changedAt when it was last written
 */
public record SessionHead(SessionId id, Incarnation incarnation, long revision, @Nullable Long active,
        long messages, long lastPlace, Json state, Json origin, SessionProfile profile, Instant createdAt,
        Instant changedAt) {

    /** The field of an origin that names the session that has made it. */
    public static final String PARENT = "parent";
    /** The field of an origin that names the family. */
    public static final String FAMILY = "family";

    /** The session that has made it; empty if none has. */
    public Optional<SessionId> parent() {
        return origin.isNull()
                ? Optional.empty()
                : origin.get(PARENT).map(name -> new SessionId(name.asString()));
    }

    /** What a session shares with those that it was forked from or made by: a call in doubt in one guards all of them. */
    public String family() {
        return origin.isNull()
                ? incarnation.toString()
                : origin.get(FAMILY).map(Json::asString).orElseGet(incarnation::toString);
    }
}
