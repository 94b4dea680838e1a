package dev.belay.mcp;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a server is. Immutable.
 *
 * @param server its name
 * @param state whether it answers
 * @param revision of the protocol that it speaks, or null while that is unknown
 * @param tools the names of its tools, as a model knows them
 * @param left its tools that are not offered, by the server's names, with the reason
 * @param problem why it does not answer, or what it wrote last that cannot be read; else null
 */
public record McpStatus(String server, State state, @Nullable String revision, List<String> tools,
        Map<String, String> left, @Nullable String problem) {

    /** Whether a server answers. */
    public enum State {
        /** It is connected for the first time or again. */
        CONNECTING,
        /** It answers. */
        READY,
        /** It was tried in vain; it is tried again after a while. */
        WAITING,
        /** It ended too often at once and is left alone until a call needs it. */
        FAILED,
        /** It was detached. */
        CLOSED
    }

    /** Copies the collections. */
    public McpStatus {
        tools = List.copyOf(tools);
        left = Map.copyOf(left);
    }
}
