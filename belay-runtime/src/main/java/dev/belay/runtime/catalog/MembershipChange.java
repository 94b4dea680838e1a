package dev.belay.runtime.catalog;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.registry.StateJson;
import dev.belay.tool.ToolId;
import java.util.Objects;

/**
 * One decision about one tool, as it is recorded and applied later.
 *
 * @param id the tool
 * @param membership the new membership
 */
public record MembershipChange(ToolId id, Membership membership) {

    /** Refuses nulls. */
    public MembershipChange {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(membership, "membership");
    }

    /** The form in which it is recorded. */
    public Json toJson() {
        return Json.write(out -> out.beginObject()
                .name("id")
                .value(id.value())
                .name("membership")
                .value(membership.name())
                .endObject());
    }

    /** Reads the form of {@link #toJson}; {@code tool_state_corrupt} if it has another form. */
    public static MembershipChange of(Json json) {
        return StateJson.reading("a change of membership",
                () -> new MembershipChange(StateJson.id(json), StateJson.membership(json)));
    }
}
