package dev.belay.runtime.catalog;

import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Fingerprint;
import org.jspecify.annotations.Nullable;

/** One tool of a registry, and whether it is in the catalog. */
public sealed interface ListedTool {

    /** Whether a tool is in the catalog, and if not, why. */
    enum Standing {
        /** In the catalog. */
        MEMBER,
        /** Its membership is {@link Membership#ABSENT}. */
        REMOVED,
        /** Internal: only the program may call it. */
        INTERNAL,
        /** Not resident, and not granted. */
        NOT_RESIDENT,
        /** Its source is missing. */
        ORPHAN
    }

    /** The id of the tool. */
    ToolId id();

    /** The name for the model; for an orphan that was never seen here, its id. */
    String name();

    /** The membership that was decided here. */
    Membership membership();

    /** Whether it is in the catalog, and if not, why. */
    Standing standing();

    /** Whether it is in the catalog. */
    default boolean isMember() {
        return standing() == Standing.MEMBER;
    }

    /**
     * A tool that has a source.
     *
     * @param manifest the tool
     * @param source of the tool
     * @param membership that was decided here
     * @param standing whether it is in the catalog, and if not, why
     */
    record Live(ToolManifest manifest, ToolSource source, Membership membership, Standing standing)
            implements
                ListedTool {

        @Override
        public ToolId id() {
            return manifest.id();
        }

        @Override
        public String name() {
            return manifest.name();
        }
    }

    /**
     * A tool whose source is missing. It has the same membership when a source brings it again.
     *
     * @param id the tool
     * @param lastSeen the tool as it was last seen; null if it was never seen here
     * @param membership that was decided here
     * @param as the fingerprint with which it must come back for that decision to count; null for any
     */
    record Orphan(ToolId id, @Nullable ToolSummary lastSeen, Membership membership,
            @Nullable Fingerprint as) implements ListedTool {

        /** One that has its membership again with any definition. */
        public Orphan(ToolId id, @Nullable ToolSummary lastSeen, Membership membership) {
            this(id, lastSeen, membership, null);
        }

        @Override
        public String name() {
            ToolSummary seen = lastSeen;
            return seen == null ? id.value() : seen.name();
        }

        @Override
        public Standing standing() {
            return Standing.ORPHAN;
        }
    }
}
