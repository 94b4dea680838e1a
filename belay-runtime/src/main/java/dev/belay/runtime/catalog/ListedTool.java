package dev.belay.runtime.catalog;

import dev.belay.tool.ToolId;
import dev.belay.tool.ToolManifest;
import org.jspecify.annotations.Nullable;

/** One tool of a registry and how it stands there. */
public sealed interface ListedTool {

    /** Whether a tool is in the catalog, and if not, why. */
    enum Standing {
        /** In the catalog. */
        MEMBER,
        /** It was decided that it is no member. */
        REMOVED,
        /** For the host only. */
        INTERNAL,
        /** Not resident, and nobody granted it. */
        NOT_RESIDENT,
        /** Its source is missing. */
        ORPHAN
    }

    /** The authority's name. */
    ToolId id();

    /** What the model says; of an orphan that was never seen here, its id. */
    String name();

    /** What was decided about it here. */
    Membership membership();

    /** Whether it is in the catalog, and if not, why. */
    Standing standing();

    /** Whether it is in the catalog. */
    default boolean isMember() {
        return standing() == Standing.MEMBER;
    }

    /**
     * A tool whose source is there.
     *
     * @param manifest the tool
     * @param source who has it
     * @param membership what was decided about it here
     * @param standing whether it is in the catalog
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
     * A tool whose source is missing. It stands where it stood when a source brings it again.
     *
     * @param id the tool
     * @param lastSeen what is remembered of it, or null if it was decided upon and never seen here
     * @param membership what was decided about it
     */
    record Orphan(ToolId id, @Nullable ToolSummary lastSeen, Membership membership) implements ListedTool {

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
