package dev.belay.runtime.catalog;

import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.Visibility;
import java.util.Objects;

/**
 * What is remembered of a tool when its source is gone.
 *
 * @param name what the model said
 * @param description what it did, for the model
 * @param effect what a call did to the world
 * @param visibility who might see it
 * @param resident whether it was a member without being granted
 * @param fingerprint the hash of what it meant
 */
public record ToolSummary(String name, String description, ToolEffect effect, Visibility visibility,
        boolean resident, Fingerprint fingerprint) {

    /** Refuses a blank name. */
    public ToolSummary {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a tool must not be blank");
        }
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(effect, "effect");
        Objects.requireNonNull(visibility, "visibility");
        Objects.requireNonNull(fingerprint, "fingerprint");
    }

    static ToolSummary of(ToolDefinition definition) {
        ToolManifest manifest = definition.manifest();
        return new ToolSummary(manifest.name(), manifest.description(), manifest.effect(),
                manifest.visibility(), manifest.resident(), definition.fingerprint());
    }
}
