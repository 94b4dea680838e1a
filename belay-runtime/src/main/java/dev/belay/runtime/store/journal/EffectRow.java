package dev.belay.runtime.store.journal;

import dev.belay.json.Json;
import dev.belay.tool.ToolEffect;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was read.
 *
 * @param key the effect, with the path of its child scope in front
 * @param ordinal its place among the effects of its scope
 * @param kind what sort of work
 * @param hash of its identity
 * @param identity what the hash covers, for a readable difference
 * @param status how it stands
 * @param input what it ran with, or null
 * @param result value or failure, or null; a large one is read in full too. Of a started effect that must not be repeated, whose
 *        process runs it
 * @param fingerprint of the tool, or null
 * @param effect whether the work may be repeated, or null
 * @param resource what it took, or null
 * @param fence of the claim that wrote it
 */
public record EffectRow(String key, int ordinal, String kind, String hash, Json identity, Status status,
        @Nullable Json input, @Nullable Json result, @Nullable String fingerprint,
        @Nullable ToolEffect effect,
        @Nullable String resource, long fence) {

    /** In place of the result of a started effect: the host was closed before it began. */
    public static final Json NOT_BEGUN = Json.string("not begun");

    private static final String OWNER = "owner";

    /** In place of the result of a started effect: whose process runs it. */
    public static Json startedBy(String owner) {
        return Json.write(out -> out.beginObject().name(OWNER).value(owner).endObject());
    }

    /** Whose process has run a started effect last; null if that is not known, or the host was closed before its end. */
    public @Nullable String startedBy() {
        return status == Status.STARTED && result != null && result.kind() == Json.Kind.OBJECT
                ? RecordReader.optionalText(result, OWNER)
                : null;
    }

    /** Whether the start is recorded and the work has not begun. */
    public boolean isNotBegun() {
        return NOT_BEGUN.equals(result);
    }

    /** How an effect stands. */
    public enum Status {
        /** Work began. */
        STARTED,
        /** It has a value. */
        COMPLETED,
        /** It has a failure. */
        FAILED,
        /** Its outcome is unknown; the result says so. */
        IN_DOUBT
    }

    /** The same record with another result, written under a fence. */
    public EffectRow with(@Nullable Json other, long by) {
        return new EffectRow(key, ordinal, kind, hash, identity, status, input, other, fingerprint,
                effect, resource, by);
    }
}
