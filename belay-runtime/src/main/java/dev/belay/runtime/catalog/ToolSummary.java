package dev.belay.runtime.catalog;

import dev.belay.runtime.catalog.registry.Surface;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Fingerprint;
import dev.belay.tool.option.Visibility;
import java.util.Objects;

/**
 * The summary of a tool that a registry remembers when its source is gone.
 *
 * @param name for the model
 * @param description for the model
 * @param effect of a call
 * @param visibility for models and programs
 * @param resident whether it was a member without being granted
 * @param fingerprint of its schemas and options
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

    /** Summarizes a tool. */
    public static ToolSummary of(ToolDefinition definition) {
        ToolManifest manifest = definition.manifest();
        return new ToolSummary(manifest.name(), manifest.description(), manifest.effect(),
                manifest.visibility(), manifest.resident(), Surface.fingerprint(definition));
    }
}
