package dev.belay.runtime.catalog;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.registry.StateJson;
import dev.belay.tool.ToolId;
import dev.belay.tool.option.Fingerprint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One decision about one tool, as it is recorded and applied later.
 *
 * @param id the tool
 * @param membership the new membership
 * @param as the tool that was decided about: if its fingerprint becomes another one, the decision counts no more; null for any
 */
public record MembershipChange(ToolId id, Membership membership, @Nullable Fingerprint as) {

    /** Refuses nulls. */
    public MembershipChange {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(membership, "membership");
    }

    /** A decision that counts for any definition of the tool. */
    public MembershipChange(ToolId id, Membership membership) {
        this(id, membership, null);
    }

    /** The form in which it is recorded. */
    public Json toJson() {
        return Json.write(out -> {
            out.beginObject().name("id").value(id.value()).name("membership").value(membership.name());
            StateJson.write(out, as);
            out.endObject();
        });
    }

    /** Reads the form of {@link #toJson}; {@code tool_state_corrupt} if it has another form. */
    public static MembershipChange of(Json json) {
        return StateJson.reading("a change of membership",
                () -> new MembershipChange(StateJson.id(json), StateJson.membership(json),
                        StateJson.as(json)));
    }
}
