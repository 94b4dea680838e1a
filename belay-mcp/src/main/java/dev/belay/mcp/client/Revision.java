package dev.belay.mcp.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A revision of the protocol.
 *
 * @param name its date
 * @param modern whether each request stands alone, as since 2026-07-28, or a connection begins with {@code initialize}
 */
record Revision(String name, boolean modern) {

    static final Revision MODERN = new Revision("2026-07-28", true);
    static final Revision LEGACY = new Revision("2025-11-25", false);

    /** Older ones that a server may answer with; what is used of them has not changed. */
    private static final List<String> OLDER = List.of("2025-06-18", "2025-03-26", "2024-11-05");

    /** The revision that a server chose in {@code initialize}; null if it is not known here. */
    static @Nullable Revision chosen(String name) {
        return name.equals(LEGACY.name) || OLDER.contains(name) ? new Revision(name, false) : null;
    }
}
