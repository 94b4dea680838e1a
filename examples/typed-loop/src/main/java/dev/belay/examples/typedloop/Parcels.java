package dev.belay.examples.typedloop;

import dev.belay.tool.FromHost;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;

/** Tools as methods. They arrive in the place {@link DeskTools.Extra} of the set. */
final class Parcels {

    /** The tenant of the desk. No model may choose it. */
    record Tenant(String name) {}

    /**
     * Tells where a parcel is.
     *
     * @param parcel number on the label
     */
    @Tool(effect = ToolEffect.READ)
    String trackParcel(@FromHost Tenant tenant, String parcel) {
        return parcel + " of " + tenant.name() + " is in Oslo";
    }
}
