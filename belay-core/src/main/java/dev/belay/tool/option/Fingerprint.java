package dev.belay.tool.option;

import dev.belay.json.FramedHash;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolManifest;

/**
 * A stable hash of what a tool means: id, author's version, effect, resumable, both schemas without annotations, and what it
 * executes or reaches. Rewording a description does not change it; changing a field does.
 *
 * @param value sixty-four lower-case hexadecimal digits
 */
public record Fingerprint(String value) {

    public static Fingerprint of(ToolManifest manifest, ToolContract contract) {
        JsonSchema output = contract.output();
        return new Fingerprint(hash(manifest)
                .add(contract.input().withoutAnnotations().canonical())
                .add(output == null ? "" : output.withoutAnnotations().canonical())
                .hex());
    }

    /** The fingerprint of a tool whose schemas are not known. */
    public static Fingerprint of(ToolManifest manifest) {
        return new Fingerprint(hash(manifest).hex());
    }

    private static FramedHash hash(ToolManifest manifest) {
        FramedHash hash = new FramedHash().add("belay-fingerprint-1")
                .add(manifest.id().value())
                .add(manifest.version())
                .add(manifest.effect().name())
                .add(manifest.resumable() ? 1 : 0);
        return manifest.target().isEmpty() ? hash : hash.add("target").add(manifest.target());
    }

    @Override
    public String toString() {
        return value;
    }
}
