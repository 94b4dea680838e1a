package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.tool.context.Incarnation;
import java.time.Instant;
import java.util.List;
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

    /** The field of an origin that says that sessions above have policies. */
    public static final String GATED = "gated";
    /** The field of an origin that says how many sessions stand above. */
    public static final String DEPTH = "depth";

    /** Whether sessions above it have policies, wherever those are defined. */
    public boolean isGatedAbove() {
        return !origin.isNull() && origin.get(GATED).isPresent();
    }

    /** Writes what a session says about those above it, for a copy that keeps it. */
    public static void keepAbove(Json of, JsonWriter out) {
        for (String field : List.of(DEPTH, GATED)) {
            Optional<Json> value = of.isNull() ? Optional.empty() : of.get(field);
            value.ifPresent(said -> out.name(field).value(said));
        }
    }

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
